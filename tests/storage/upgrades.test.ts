import { env } from 'cloudflare:workers'
import type { D1Database } from '@cloudflare/workers-types'
import { beforeAll, describe, expect, it } from 'vitest'
import { sealConfig } from '../../src/storage/connectors/connectors.ts'
import { hookSecretLabel } from '../../src/storage/hooks/hooks.ts'
import { hashPassword } from '../../src/storage/passwords/password-hash.ts'
import { createSeals } from '../../src/storage/seal.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  PASSWORD,
  redeemCode,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../kit/clients/cookie-client.ts'
import { newOperator } from '../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

const migrations = env.TEST_MIGRATIONS
/** The migrations of the first deployment: tables, triggers, and the tenant `default`. */
const FIRST = 3
const first = migrations.slice(0, FIRST)
const later = migrations.slice(FIRST)

const apply = (db: D1Database, selected: typeof migrations) =>
  db.batch(selected.flatMap(({ queries }) => queries.map((query) => db.prepare(query))))

const seals = createSeals(env.ROOT_SECRET ?? '')
const CREATED = Date.UTC(2026, 9, 1)

/** Returns a row for every table of the first schema, as the first Worker would have written it. */
async function oldRows(): Promise<[table: string, row: Record<string, unknown>][]> {
  const json = JSON.stringify
  const passwordEncrypted = await hashPassword(PASSWORD)
  const config = await sealConfig({ seals }, 'default', 'con', {
    endpoint: 'https://mail.example.com',
    secret: 'x',
  })
  const redirects = { redirectUris: ['https://shop.example.com/back'], postLogoutRedirectUris: [] }
  const rows: [string, Record<string, unknown>][] = [
    [
      'users',
      {
        id: 'ann',
        username: 'ann',
        primary_email: 'Ann@example.com',
        password_encrypted: passwordEncrypted,
        password_encryption_method: 'Argon2id',
        name: 'Ann',
        identities: json({ github: { userId: '1' } }),
        custom_data: json({ since: 2026 }),
        created_at: CREATED,
      },
    ],
    [
      'applications',
      {
        id: 'shop',
        name: 'Shop',
        secret: 's'.repeat(21),
        type: 'Traditional',
        oidc_client_metadata: json(redirects),
        created_at: CREATED,
      },
    ],
    ['roles', { id: 'clerk', name: 'Clerk', description: 'Sells' }],
    ['users_roles', { id: 'l1', user_id: 'ann', role_id: 'clerk' }],
    ['applications_roles', { id: 'l2', application_id: 'shop', role_id: 'admin-role' }],
    ['resources', { id: 'orders', name: 'Orders', indicator: 'https://api.example.com' }],
    ['scopes', { id: 'read', resource_id: 'orders', name: 'read:orders', created_at: CREATED }],
    ['roles_scopes', { id: 'l3', role_id: 'clerk', scope_id: 'read' }],
    ['connectors', { id: 'con', connector_id: 'http-email', config: json(config), created_at: CREATED }],
    [
      'hooks',
      {
        id: 'hook',
        event: 'PostResetPassword',
        config: json({ url: 'https://hooks.example.com', retries: 1 }),
        secret: await seals.seal(hookSecretLabel('default', 'hook'), 'whsec_bm90IGEgc2VjcmV0'),
        created_at: CREATED,
      },
    ],
    [
      'outbox',
      {
        id: 'msg_1',
        hook_id: 'hook',
        event: 'PostResetPassword',
        payload: json({ userId: 'ann' }),
        next_attempt_at: CREATED,
        status: 'failed',
        created_at: CREATED,
      },
    ],
    [
      'logs',
      {
        id: 'log',
        key: 'ExchangeTokenBy.AuthorizationCode',
        payload: json({ key: 'ExchangeTokenBy.AuthorizationCode', result: 'Success', userId: 'ann' }),
        created_at: Date.now(),
      },
    ],
    [
      'service_logs',
      { id: 'sent', type: 'sendEmail', payload: json({ result: 'Success' }), created_at: CREATED },
    ],
    [
      'custom_phrases',
      { id: 'fr', language_tag: 'fr', translation: json({ action: { sign_in: 'Entrer' } }) },
    ],
    [
      'counters',
      { key: 'password/username/ann', count: 2, window_start: CREATED, expires_at: CREATED + 1000 },
    ],
    [
      'passcodes',
      { id: 'code', type: 'Generic', email: 'ann@example.com', code: '123456', created_at: CREATED },
    ],
    ['verification_statuses', { id: 'seen', user_id: 'ann', created_at: CREATED }],
    [
      'oidc_model_instances',
      {
        model_name: 'Grant',
        id: 'grant',
        payload: json({ accountId: 'ann', clientId: 'shop', iat: 1 }),
        expires_at: Date.now() + 60_000,
      },
    ],
  ]
  return rows.map(([table, row]) => [table, { tenant_id: 'default', ...row }])
}

type Rows = Record<string, Record<string, unknown>[]>

/**
 * Returns all rows by table. With `like`, returns only the tables and columns in `like`, even if the schema is newer.
 */
async function contentsOf(db: D1Database, like?: Rows): Promise<Rows> {
  const { results: tables } = await db
    .prepare("select name from sqlite_master where type = 'table' and sql like '%`tenant_id`%'")
    .all<{ name: string }>()
  const contents: Rows = {}
  for (const name of like ? Object.keys(like) : ['tenants', ...tables.map(({ name }) => name)]) {
    const columns = Object.keys(like?.[name]?.[0] ?? {}).map((column) => `"${column}"`)
    const query = `select ${columns.join(', ') || '*'} from "${name}" order by rowid`
    contents[name] = (await db.prepare(query).all<Record<string, unknown>>()).results
  }
  return contents
}

/** Signs in, following the redirects from the sign-in page to the application, and refreshes the tokens. */
async function signInCompletely(app: TestApp, username: string, submit: typeof signIn): Promise<void> {
  const client = newCookieClient(app)
  const request = await authorizationRequest({ scope: 'openid profile offline_access', prompt: 'consent' })
  const uid = await openSignInPage(client, request)
  expect((await client.get(`/sign-in?interaction=${uid}`)).status).toBe(200)
  const back = await resumeAuthorization(client, await submit(client, uid, username))
  const consent = { Interaction: back.searchParams.get('interaction') ?? '' }
  const arrived = await resumeAuthorization(
    client,
    await client.send('POST', '/api/interaction/consent', undefined, consent),
  )
  const redeemed = await redeemCode(app, request, arrived.searchParams.get('code') ?? '')
  const { access_token: token, refresh_token: refresh } = (await redeemed.json()) as Record<string, string>
  const me = await app.fetch('/oidc/me', { headers: { authorization: `Bearer ${token}` } })
  expect(await me.json()).toMatchObject({ username })
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: 'demo-app',
    refresh_token: refresh ?? '',
  })
  expect((await app.fetch('/oidc/token', { method: 'POST', body })).status).toBe(200)
}

describe('a database with the first schema and data in every table', () => {
  const db = env.TEST_OLDEST_DB
  let before: Rows
  beforeAll(async () => {
    await apply(db, first)
    for (const [table, row] of await oldRows()) {
      const columns = Object.keys(row)
      const marks = columns.map(() => '?').join(', ')
      await db
        .prepare(`insert into ${table} (${columns.join(', ')}) values (${marks})`)
        .bind(...Object.values(row))
        .run()
    }
    before = await contentsOf(db)
  })

  it('starts with rows in all tables', () => {
    expect(Object.keys(before).length).toBeGreaterThan(20)
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])
  })

  /** Applications that exist keep their users signed in for 14 days, as before (ADR-0176). */
  const withFormerMaximum = (row: object) => ({
    ...row,
    custom_client_metadata: JSON.stringify({ refreshTokenMaxTtl: 1_209_600 }),
  })

  it('is upgraded without losing a row, or changing one unless a migration says so', async () => {
    await apply(db, later)
    const after = await contentsOf(db, before)
    for (const [table, rows] of Object.entries(before)) {
      if (table === 'totals') continue
      const expected = table === 'applications' ? rows.map(withFormerMaximum) : rows
      expect(after[table], table).toEqual(expect.arrayContaining(expected))
    }
    const { results: totals } = await db
      .prepare('select * from totals')
      .all<{ table_name: string; count: number }>()
    for (const { table_name: table, count } of totals) {
      const counted = await db
        .prepare(
          `select count(*) as count from ${table} ${table === 'roles' ? "where name not like '#internal:%'" : ''}`,
        )
        .first()
      expect(counted, table).toEqual({ count })
    }
  })

  const registrations = async () => ({
    stored: (
      await db
        .prepare('select day, count from daily_activity where gap = -1 and count > 0 order by day')
        .all()
    ).results,
    counted: (
      await db
        .prepare(
          'select created_at / 86400000 as day, count(*) as count from users group by tenant_id, day order by day',
        )
        .all()
    ).results,
  })

  it('lets users sign in with their passwords', async () => {
    const app = openTestApp({ DB: db })
    const before = await registrations()
    expect(before.stored.length).toBeGreaterThan(0)
    expect(before.stored).toEqual(before.counted)
    await signInCompletely(app, 'ann', signIn)
    await signInCompletely(app, freshName(), registerAccount)
  })

  it('counts new users and excludes deleted ones', async () => {
    const operator = await newOperator(openTestApp({ DB: db }))
    const created = await operator.send('POST', '/users', { username: freshName() })
    const { id } = (await created.json()) as { id: string }
    const more = await registrations()
    expect(more.stored).toEqual(more.counted)
    await operator.send('DELETE', `/users/${id}`)
    const less = await registrations()
    expect(less.stored).toEqual(less.counted)
    expect(less.stored).not.toEqual(more.stored)
  })

  it('can be read through the management API', async () => {
    const operator = await newOperator(openTestApp({ DB: db }))
    const read = async (path: string) => {
      const response = await operator.get(path)
      expect([path, response.status]).toEqual([path, 200])
      return response.json()
    }
    expect(await read('/users/ann')).toMatchObject({
      username: 'ann',
      identities: { github: { userId: '1' } },
    })
    expect(await read('/users?search=%25ann%25')).toMatchObject([{ id: 'ann' }])
    expect(await read('/applications/shop')).toMatchObject({ name: 'Shop', isAdmin: true })
    expect(await read('/connectors/con')).toMatchObject({ config: { endpoint: 'https://mail.example.com' } })
    expect(await read('/hooks/hook')).toMatchObject({ config: { url: 'https://hooks.example.com' } })
    expect(await read('/hooks/hook/deliveries')).toMatchObject([{ id: 'msg_1' }])
    expect(await read('/custom-phrases/fr')).toMatchObject({
      translation: { action: { sign_in: 'Entrer' } },
    })
    expect(await read('/roles/clerk/scopes')).toMatchObject([{ id: 'read' }])
    expect(await read('/roles/tenant-app/scopes')).toHaveLength(2)
    expect(await read('/logs/log')).toMatchObject({ payload: { userId: 'ann' } })
    expect(await read('/dashboard/users/active')).toMatchObject({ dau: { count: 2 } })
  })
})

describe('the migration to the specified password rules', () => {
  const db = env.DB
  const rules = migrations.filter(({ name }) => name.startsWith('0055_new_tenant_password_classes'))
  const previous = {
    passwordPolicy: { haveIBeenPwned: true, rules: 'Length' },
    accountCentre: { enabled: true },
  }
  const KEYS = 'oidc.privateKeys'

  async function store(entries: Record<string, object>): Promise<void> {
    await db.prepare('delete from configs').run()
    for (const [key, value] of Object.entries(entries))
      await db
        .prepare("insert into configs (tenant_id, key, value) values ('default', ?, ?)")
        .bind(key, JSON.stringify(value))
        .run()
  }

  async function storedSettings(): Promise<unknown> {
    const value = await db.prepare("select value from configs where key = 'settings'").first<string>('value')
    return value && JSON.parse(value)
  }

  it('changes a new deployment’s policy', async () => {
    await store({ settings: previous })
    await apply(db, rules)
    expect(await storedSettings()).toEqual({
      ...previous,
      passwordPolicy: { haveIBeenPwned: true, rules: 'CharacterClasses' },
    })
  })

  it.each([
    ['has signing keys, although it has no users', { settings: previous, [KEYS]: {} }],
    ['has changed its policy', { settings: { passwordPolicy: { haveIBeenPwned: false, rules: 'Length' } } }],
    ['has never stored a policy', { settings: { accountCentre: { enabled: true } } }],
    ['has no settings', {}],
  ])('changes nothing if the deployment %s', async (_, entries: Record<string, object>) => {
    await store(entries)
    await apply(db, rules)
    expect(await storedSettings()).toEqual(entries.settings ?? null)
  })

  it('lets an existing deployment’s users choose passwords without character classes', async () => {
    await store({ settings: previous })
    const register = async (password?: string) => {
      const client = newCookieClient(openTestApp())
      const uid = await openSignInPage(client, await authorizationRequest())
      return (await registerAccount(client, uid, freshName(), password)).status
    }
    expect(await register()).toBe(200)
    await apply(db, rules)
    expect(await register('vkqzwtjx')).toBe(200)

    // Even if the keys were deleted, the users show that the deployment is not new.
    await db.prepare('delete from configs where key = ?').bind(KEYS).run()
    await apply(db, rules)
    expect(await storedSettings()).toEqual(previous)
  })
})

describe('a database one migration behind', () => {
  const db = env.TEST_PREVIOUS_DB
  const newest = migrations.slice(-1)

  it('allows registration and sign-in before and after it is upgraded', async () => {
    await apply(db, migrations.slice(0, -1))
    const app = openTestApp({ DB: db })
    const username = freshName()
    await signInCompletely(app, username, registerAccount)
    await signInCompletely(app, username, signIn)
    const operator = await newOperator(app)
    for (const path of ['/users', '/applications', '/roles'])
      expect((await operator.get(path)).status).toBe(200)

    await apply(db, newest)
    await signInCompletely(app, username, signIn)
    await signInCompletely(app, freshName(), registerAccount)
  })
})
