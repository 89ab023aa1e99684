import { type Schema, Validator } from '@cfworker/json-schema'
import { beforeAll, describe, expect, it } from 'vitest'
import published from '../../../docs/account-data.schema.json'
import type { AccountData } from '../../../src/contract/account/account-data.schema.ts'
import { USER_LOG_PAGE_SIZE } from '../../../src/storage/user-logs.ts'
import {
  type AccountVisitor,
  ageSignIn,
  locationOf,
  userIdOf,
  visitAccount,
} from '../../kit/account-centre.ts'
import { newCookieClient, ORIGIN } from '../../kit/clients/cookie-client.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the file in which users download their stored data (spec/account-centre#data). */

let app: TestApp
let visitor: AccountVisitor
let userId: string
beforeAll(async () => {
  app = openTestApp({}, { hasCalmDatabase: true })
  visitor = await visitAccount(app)
  userId = await userIdOf(app, visitor)
})

const download = (headers?: Record<string, string>) =>
  visitor.client.post('/account/data', { intent: 'download' }, headers)
const run = (query: string, ...values: unknown[]) =>
  app.env.DB.prepare(query)
    .bind(...values)
    .run()

/** Maps every table with user data to the part of the file that contains it, or to the reason why it is left out. */
const coverage: Record<string, keyof AccountData | { left: string }> = {
  users: 'user',
  user_identities: 'user',
  users_roles: 'roles',
  organization_users: 'organizations',
  organization_user_sources: 'organizations',
  organization_user_roles: 'organizations',
  organization_former_users: 'formerOrganizations',
  passkeys: 'passkeys',
  totp_factors: 'authenticatorApp',
  backup_codes: 'backupCodesLeft',
  trusted_browsers: 'browsers',
  consents: 'consents',
  passkey_offers: 'putOff',
  second_factor_put_offs: 'putOff',
  sign_in_places: 'signInPlaces',
  user_activity: 'lastActiveDay',
  logs: 'activity',
  oidc_model_instances: 'sessions',
  address_changes: 'addressChanges',
  former_identifiers: 'formerIdentifiers',
  identity_additions: 'identitiesSince',
  password_changes: 'passwordChangedAt',
  notices: { left: 'are messages to the user, which are kept for minutes' },
  account_deletions: { left: 'are kept for a day after they were cancelled' },
  verification_statuses: { left: 'are valid for ten minutes' },
}

describe('the downloaded file', () => {
  it('covers every table with user data except those explicitly excluded', async () => {
    const { results: all } = await app.env.DB.prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf%'",
    ).all<{ name: string }>()
    const owned: string[] = []
    for (const { name } of all) {
      const { results } = await app.env.DB.prepare(`select name from pragma_table_xinfo('${name}')`).all<{
        name: string
      }>()
      const isOwned = results.some((column) => ['user_id', 'account_id'].includes(column.name))
      if (isOwned || name === 'users') owned.push(name)
    }
    expect(owned.sort()).toEqual(Object.keys(coverage).sort())
  })

  it('matches its schema and contains no secrets', async () => {
    const t = 'default'
    await run(
      `update users set name = 'Grace', primary_email = 'grace@data.example', custom_data = '{"plan":"gold"}' where id = ?`,
      userId,
    )
    await run(
      "insert into totp_factors (tenant_id, user_id, secret, created_at) values (?, ?, 'sealed-secret', 1)",
      t,
      userId,
    )
    await run(
      "insert into backup_codes (tenant_id, user_id, digest, created_at) values (?, ?, 'digest-of-code', 1)",
      t,
      userId,
    )
    await run(
      `insert into passkeys (tenant_id, credential_id, user_id, public_key, counter, transports, aaguid, name, rp_id,
        is_backup_eligible, is_backed_up, created_at) values (?, 'data-key', ?, 'public-bytes', 0, '[]', '', 'Laptop', 'localhost', 1, 1, 1)`,
      t,
      userId,
    )
    await run(
      "insert into sign_in_places (tenant_id, user_id, country, latitude, signed_in_at) values (?, ?, 'DE', 52.5, 1)",
      t,
      userId,
    )
    for (const result of ['Success', 'Error'])
      await run(
        `insert into logs (tenant_id, id, key, payload, created_at) values ('default', ?2, 'Management.User.Update',
          json_object('key', 'Management.User.Update', 'result', ?2, 'userId', ?1, 'ip', '198.51.100.77',
          'actor', json('{"type":"user","id":"the-boss"}'), 'changes', json('{"name":{"before":"Hopper","after":"Grace"}}')), 1)`,
        userId,
        result,
      )
    await run(
      "insert into organizations (tenant_id, id, name, created_at, created_by) values (?, 'data', 'Acme', 1, ?)",
      t,
      userId,
    )
    await run(
      "insert into organization_users (tenant_id, organization_id, user_id, created_at) values (?, 'data', ?, 1)",
      t,
      userId,
    )
    await run(
      "insert into organization_user_sources (tenant_id, organization_id, user_id, source, created_at) values (?, 'data', ?, 'domain', 1)",
      t,
      userId,
    )
    await run(
      "insert into organization_user_roles (tenant_id, organization_id, user_id, role_id, source) values (?, 'data', ?, 'owner', 'domain')",
      t,
      userId,
    )
    const answer = await download()
    const text = await answer.text()
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="account.json"')
    const data = JSON.parse(text) as AccountData
    const address = new URL(data.$schema)
    expect(address.origin).toBe(ORIGIN)
    // The OpenAPI document describes some of the same schemas, and must not change this one.
    await newCookieClient(app).get('/api/openapi.json')
    const schema = await newCookieClient(app).get(address.pathname)
    expect([schema.status, schema.headers.get('content-type')]).toEqual([200, 'application/schema+json'])
    expect(answer.headers.get('link')).toBe(`<${data.$schema}>; rel="describedby"`)

    const described: Schema = await schema.json()
    expect({ ...described, $id: published.$id }).toEqual(published)
    const validator = new Validator(described, '2020-12', false)
    expect(validator.validate(data).errors).toEqual([])
    expect(validator.validate({ ...data, sessions: [{ id: 1 }] }).valid).toBe(false)
    expect(data).toMatchObject({
      user: { id: userId, name: 'Grace', primaryEmail: 'grace@data.example', customData: { plan: 'gold' } },
      hasPassword: true,
      passkeys: [{ id: 'data-key', name: 'Laptop' }],
      authenticatorApp: { createdAt: 1, lastUsedAt: null },
      backupCodesLeft: 1,
      consents: [],
      organizations: [
        {
          id: 'data',
          name: 'Acme',
          roles: [{ id: 'owner', sources: ['domain'] }],
          sources: ['domain'],
          joinedAt: 1,
        },
      ],
      createdOrganizations: [{ id: 'data', name: 'Acme', createdAt: 1 }],
      organizationInvitations: [],
      formerOrganizations: [],
      signInPlaces: [{ country: 'DE', latitude: 52.5, longitude: null, at: 1 }],
    })
    expect(data.sessions.length).toBeGreaterThan(0)
    expect(data.grants.map(({ applicationId }) => applicationId)).toContain('account-centre')
    expect(data.activity.map(({ key }) => key)).toContain('Interaction.Register.Submit')
    // An operator's network is not shown to the user, even if the operator's call was rejected.
    const byOperator = data.activity.filter(({ key }) => key === 'Management.User.Update')
    expect(byOperator.map(({ details }) => details.result).sort()).toEqual(['Error', 'Success'])
    expect(text).not.toMatch(/198\.51\.100\.77|the-boss/)
    expect(byOperator[0]?.details.changes).toEqual({ name: { before: 'Hopper', after: 'Grace' } })
    for (const secret of ['sealed-secret', 'digest-of-code', 'public-bytes', '$argon2'])
      expect(text).not.toContain(secret)
    await run('delete from totp_factors where user_id = ?', userId)
    await run('delete from passkeys where user_id = ?', userId)
  })

  it('contains each of 10,000 log rows once, with one round trip per thousand rows', async () => {
    await run(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
       insert into logs (tenant_id, id, key, payload, created_at)
       select 'default', 'data-' || i, 'ExchangeTokenBy.RefreshToken',
         json_object('key', 'ExchangeTokenBy.RefreshToken', 'result', 'Success', 'userId', ?1), 1700000000000 + i / 3 from n`,
      userId,
    )
    app.trips()
    const answer = await download()
    const begun = app.trips().awaited
    const { activity } = (await answer.json()) as AccountData
    const further = app.trips()
    // The three round trips read the user with the session, the verification, and the first thousand log rows with all
    // other data.
    expect(begun).toBe(3)
    expect(further.awaited + further.afterwards).toBe(Math.floor(activity.length / USER_LOG_PAGE_SIZE))
    const ids = activity.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => id.startsWith('data-'))).toHaveLength(10_000)
  })
})

describe('the download', () => {
  it('is rejected if it is disabled, cross-site or requested without a recent sign-in', async () => {
    expect((await download({ origin: 'https://evil.example' })).status).toBe(403)
    const stranger = await newCookieClient(app).post('/account/data', { intent: 'download' })
    expect([stranger.status, new URL(locationOf(stranger), ORIGIN).pathname]).toEqual([303, '/oidc/auth'])
    for (const policy of ['readOnly', 'off'] as const) {
      const keeping = openTestApp({}, { hasCalmDatabase: true })
      await setTenantSettings(keeping, { accountCentre: { enabled: true, fields: { data: policy } } })
      const client = newCookieClient(keeping)
      for (const [name, cookie] of visitor.client.cookies) client.cookies.set(name, cookie)
      const refused = await client.post('/account/data', { intent: 'download' })
      expect([policy, refused.status, refused.headers.get('content-disposition')]).toEqual([
        policy,
        403,
        null,
      ])
      expect(await (await client.get('/account/data')).text()).not.toContain('value="download"')
    }
    await setTenantSettings(app, { accountCentre: { enabled: true } })
    await ageSignIn(app, visitor.client, 11 * 60)
    const old = await download()
    expect([old.status, new URL(locationOf(old), ORIGIN).searchParams.get('max_age')]).toEqual([303, '600'])
  })
})
