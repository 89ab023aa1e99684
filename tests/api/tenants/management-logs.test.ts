import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { LogSchema } from '../../../src/contract/logs.schema.ts'
import { auditEntries } from '../../kit/audit-entries.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  PASSWORD,
  redeemCode,
  resumeAuthorization,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import { beginInteraction, codeTo, freshEmail } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

type Log = Omit<z.infer<typeof LogSchema>, 'payload'> & { payload: Record<string, unknown> }

const logs = async (query = ''): Promise<Log[]> => (await operator.get(`/logs${query}`)).json()

async function insert(count: number, { key, ...payload }: { key: string } & Record<string, unknown>) {
  const { DB } = app.env
  await DB.batch(
    Array.from({ length: count }, (_, index) =>
      DB.prepare(
        "insert into logs (tenant_id, id, key, payload, created_at) values ('default', ?, ?, ?, ?)",
      ).bind(
        crypto.randomUUID().slice(0, 21),
        key,
        JSON.stringify({ key, result: 'Success', index, ...payload }),
        1_000 + index,
      ),
    ),
  )
}

describe('the audit log', () => {
  it('is listed newest first in pages', async () => {
    await insert(3, { key: 'Test.Pages' })
    const response = await operator.get('/logs?logKey=Test.Pages&page_size=2')
    const first: Log[] = await response.json()
    expect(first.map(({ payload }) => payload.index)).toEqual([2, 1])
    expect(first[0]).toEqual({
      tenantId: 'default',
      id: expect.any(String),
      key: 'Test.Pages',
      actor: null,
      payload: { key: 'Test.Pages', result: 'Success', index: 2 },
      createdAt: 1_002,
    })
    expect(response.headers.get('total-number')).toBe('3')
    expect(response.headers.get('link')).toContain('rel="next"')
    expect((await logs('?logKey=Test.Pages&page_size=2&page=2')).map(({ payload }) => payload.index)).toEqual(
      [0],
    )
  })

  it('has an exact total number, up to 10,000 entries', async () => {
    const response = await operator.get('/logs?page_size=1')
    const count = async () => String((await auditEntries(app.env.DB)).length)
    expect(response.headers.get('total-number')).toBe(await count())
    await app.env.DB.prepare(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 10000)
      insert into logs (tenant_id, id, key, payload, created_at)
      select 'default', 'many' || n, 'Test.Many', '{}', 1 from numbers`,
    ).run()
    const capped = await operator.get('/logs?page_size=1')
    await app.env.DB.prepare("delete from logs where key = 'Test.Many'").run()
    expect(['total-number', 'total-capped'].map((name) => capped.headers.get(name))).toEqual([
      '10000',
      'true',
    ])
  })

  it.each([
    { query: '?userId=u1', count: 5 },
    { query: '?applicationId=a1', count: 4 },
    { query: '?userId=u1&applicationId=a1', count: 3 },
    { query: '?userId=u1&logKey=Test.Filter.One', count: 3 },
    { query: '?interactionId=i1', count: 3 },
    { query: '?interactionId=i1&applicationId=a1&logKey=Test.Filter.Two', count: 1 },
    { query: '?interactionId=i', count: 0 },
    { query: '?userId=u', count: 0 },
    { query: '?logKey=Test.Filter', count: 0 },
    { query: '?logKey=%25', count: 0 },
  ])('can be filtered by exact values: $query', async ({ query, count }) => {
    await app.env.DB.prepare("delete from logs where key like 'Test.Filter%'").run()
    await insert(3, { key: 'Test.Filter.One', userId: 'u1', applicationId: 'a1' })
    await insert(2, { key: 'Test.Filter.Two', userId: 'u1', interactionId: 'i1' })
    await insert(1, { key: 'Test.Filter.Two', applicationId: 'a1', interactionId: 'i1' })
    const response = await operator.get(`/logs${query}`)
    expect([response.headers.get('total-number'), ((await response.json()) as Log[]).length]).toEqual([
      String(count),
      count,
    ])
  })

  it('can be filtered by who acted and of whom, whether or not the entry repeats the actor', async () => {
    await app.env.DB.prepare("delete from logs where json_extract(payload, '$.test') = 'actors'").run()
    const rows = [
      { key: 'Management.User.Suspend', userId: 'ann', actor: { type: 'user', id: 'boss' } },
      { key: 'Management.Application.Update', applicationId: 'ann', actor: { type: 'app', id: 'm2m' } },
      { key: 'Interaction.SignIn.Submit', userId: 'boss', applicationId: 'shop' },
      { key: 'Interaction.SignIn.Identifier.Password.Submit', userId: 'boss', result: 'Error' },
      { key: 'Account.Profile.Update', userId: 'boss', result: 'Error' },
      { key: 'ExchangeTokenBy.RefreshToken', userId: 'boss', applicationId: 'm2m' },
      { key: 'Account.Delete', userId: 'boss', actor: { type: 'system', id: 'system' } },
      { key: 'Account.Delete', userId: 'boss' },
      { key: 'TriggerHook.PostSignIn', userId: 'boss', applicationId: 'm2m' },
    ]
    for (const row of rows) await insert(1, { ...row, test: 'actors' })
    const find = async (query: string) =>
      (await logs(`?${query}`))
        .map(({ key, actor }) => [key, actor && `${actor.type} ${actor.id}`].join(': '))
        .toSorted()
    expect(await find('by=boss')).toEqual([
      'Account.Profile.Update: user boss',
      'Interaction.SignIn.Submit: user boss',
      'Management.User.Suspend: administrator boss',
    ])
    expect(await find('by=m2m')).toEqual([
      'ExchangeTokenBy.RefreshToken: application m2m',
      'Management.Application.Update: application m2m',
    ])
    expect(await find('by=system')).toEqual(['Account.Delete: system system'])
    expect(await find('of=ann')).toEqual([
      'Management.Application.Update: application m2m',
      'Management.User.Suspend: administrator boss',
    ])
    expect(await find('by=boss&of=ann')).toEqual(['Management.User.Suspend: administrator boss'])
    expect(await find('of=boss&by=m2m')).toEqual(['ExchangeTokenBy.RefreshToken: application m2m'])
    expect(await find('userId=boss&logKey=Interaction.SignIn.Identifier.Password.Submit')).toEqual([
      'Interaction.SignIn.Identifier.Password.Submit: ',
    ])
    expect(await find('userId=boss&logKey=TriggerHook.PostSignIn')).toEqual([
      'TriggerHook.PostSignIn: system null',
    ])
    expect((await operator.get('/logs?by=boss')).headers.get('total-number')).toBe('3')
  })

  it.each([
    { query: 'from=1001', indexes: [2, 1] },
    { query: 'to=1001', indexes: [1, 0] },
    { query: 'from=1001&to=1001', indexes: [1] },
  ])('can be filtered by time, including both ends: $query', async ({ query, indexes }) => {
    await app.env.DB.prepare("delete from logs where key = 'Test.Time'").run()
    await insert(3, { key: 'Test.Time' })
    const rows = await logs(`?logKey=Test.Time&${query}`)
    expect(rows.map(({ payload }) => payload.index)).toEqual(indexes)
  })

  it.each(['from=x', 'to=-1', 'to=1e99'])('cannot be filtered by the invalid time %s', async (query) => {
    const response = await operator.get(`/logs?${query}`)
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'guard.invalid_input' }])
  })

  it('returns a single entry by id', async () => {
    await insert(1, { key: 'Test.One' })
    const [log] = await logs('?logKey=Test.One')
    expect(await (await operator.get(`/logs/${log?.id}`)).json()).toEqual(log)
    const missing = await operator.get('/logs/nothing')
    expect([missing.status, await missing.json()]).toMatchObject([404, { code: 'entity.not_exists_with_id' }])
  })

  it.each(['?page=0', '?page_size=101', '?page=x'])(
    'cannot be requested with the query %s',
    async (query) => {
      const response = await operator.get(`/logs${query}`)
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { code: 'guard.invalid_pagination' },
      ])
    },
  )

  it('contains no entries from other tenants', async () => {
    const { DB } = app.env
    await DB.batch([
      DB.prepare("insert into tenants (id, created_at) values ('other', 1)"),
      DB.prepare(
        "insert into logs (tenant_id, id, key, payload, created_at) values ('other', 'theirs', 'Test.Other', '{}', 1)",
      ),
    ])
    expect(await logs('?logKey=Test.Other')).toEqual([])
    expect((await operator.get('/logs/theirs')).status).toBe(404)
  })
})

describe('the audit entry of a change', () => {
  const SECRET = 'what-no-log-may-hold-12345'
  const call = async (method: string, path: string, body: object) => {
    const answer = await operator.send(method, path, body)
    expect(answer.status, `${method} ${path}`).toBeLessThan(300)
    return (await answer.json().catch(() => ({}))) as { id: string; resourceId: string }
  }
  const github = { clientId: 'one', clientSecret: SECRET }

  it.each<{ path: string; create: object; under?: string; patch: object; changes: object }>([
    {
      path: '/applications',
      create: {
        name: 'Shop',
        type: 'Traditional',
        oidcClientMetadata: { redirectUris: ['https://a.example'], postLogoutRedirectUris: [] },
      },
      patch: { name: 'Store', secret: SECRET, oidcClientMetadata: { redirectUris: ['https://b.example'] } },
      changes: {
        name: { before: 'Shop', after: 'Store' },
        'oidcClientMetadata.redirectUris': { before: ['https://a.example'], after: ['https://b.example'] },
        secretCreatedAt: { before: expect.any(Number), after: expect.any(Number) },
      },
    },
    {
      path: '/connectors',
      create: { connectorId: 'github-universal', config: github },
      patch: { config: { ...github, clientId: 'two', clientSecret: `${SECRET}-new` } },
      changes: { 'config.clientId': { before: 'one', after: 'two' } },
    },
    {
      path: '/hooks',
      create: {
        event: 'PostSignIn',
        config: { url: 'https://a.example', retries: 3, headers: { 'x-key': SECRET } },
      },
      patch: {
        event: 'PostRegister',
        config: { url: 'https://b.example', headers: { 'x-key': `${SECRET}-new` } },
      },
      changes: {
        events: { before: ['PostSignIn'], after: ['PostRegister'] },
        'config.url': { before: 'https://a.example', after: 'https://b.example' },
      },
    },
    {
      path: '/resources',
      create: { name: 'Orders', indicator: 'https://orders.example' },
      patch: { accessTokenTtl: 600 },
      changes: { accessTokenTtl: { before: 3600, after: 600 } },
    },
    {
      path: '/roles',
      create: { name: 'Sellers', description: 'a' },
      patch: { description: 'b' },
      changes: { description: { before: 'a', after: 'b' } },
    },
  ])(
    'in $path contains the values before and after it, but no secret',
    async ({ path, create, patch, changes }) => {
      const { id } = await call('POST', path, create)
      await call('PATCH', `${path}/${id}`, patch)
      const [log] = await logs('?by=management&page_size=1')
      expect(log?.payload).toMatchObject({ result: 'Success', changed: expect.any(Array) })
      expect(log?.payload.changes).toEqual(changes)
      const { results } = await app.env.DB.prepare('select payload from logs').all()
      expect(JSON.stringify(results)).not.toContain(SECRET)
      expect((await operator.send('DELETE', `${path}/${id}`)).status).toBe(204)
    },
  )

  it('of scopes, phrases, the sign-in experience and roles contains the values, too', async () => {
    const resource = await call('POST', '/resources', { name: 'Stock', indicator: 'https://stock.example' })
    const scopes = `/resources/${resource.id}/scopes`
    const scope = await call('POST', scopes, { name: 'read', description: 'a' })
    await call('PATCH', `${scopes}/${scope.id}`, { name: 'read', description: 'b' })
    await call('PUT', '/custom-phrases/en', { input: { password: 'Secret word' } })
    await call('PUT', '/custom-phrases/en', { input: { password: 'Passphrase' } })
    await call('PATCH', '/sign-in-exp', {
      color: { primaryColor: '#123456', isDarkModeEnabled: true, darkPrimaryColor: '#abcdef' },
    })
    const [role, user] = [
      await call('POST', '/roles', { name: 'Buyers', description: '' }),
      await call('POST', '/users', { name: 'Ann' }),
    ]
    await call('POST', `/users/${user.id}/roles`, { roleIds: [role.id] })
    await call('PUT', `/users/${user.id}/roles`, { roleIds: [] })
    const members = `/roles/${role.id}/users`
    await call('POST', members, { userIds: [user.id] })
    expect((await operator.send('DELETE', `${members}/${user.id}`)).status).toBe(204)
    await call('POST', members, { userIds: [user.id] })
    expect((await operator.send('DELETE', `/users/${user.id}/roles/${role.id}`)).status).toBe(204)
    const changesOf = async (logKey: string) =>
      (await logs(`?logKey=${logKey}&page_size=6`)).map(({ payload }) => payload.changes)
    expect((await changesOf('Management.Scope.Update'))[0]).toEqual({
      description: { before: 'a', after: 'b' },
    })
    expect((await changesOf('Management.CustomPhrases.Update'))[0]).toEqual({
      'input.password': { before: 'Secret word', after: 'Passphrase' },
    })
    expect((await changesOf('Management.SignInExperience.Update'))[0]).toMatchObject({
      'color.primaryColor': { before: expect.any(String), after: '#123456' },
    })
    // Newest first: the role is given and taken on the user's page, on the role's page, and from both.
    const [given, taken] = [
      { roleIds: { before: [], after: [role.id] } },
      { roleIds: { before: [role.id], after: [] } },
    ]
    expect(await changesOf('Management.User.RolesChange')).toEqual([taken, given, taken, given, taken, given])
  })
})

/** The keys in spec/management#audit-keys that API calls write. */
describe('an audit entry', () => {
  const SECRET = 'correct-horse-9'
  let userId: string
  let code: string
  beforeAll(async () => {
    const client = newCookieClient(app)
    const username = freshName()
    const request = await authorizationRequest({ scope: 'openid offline_access', prompt: 'login consent' })
    const uid = await openSignInPage(client, request)
    const headers = { Interaction: uid, 'user-agent': 'Test Browser', 'cf-connecting-ip': '203.0.113.7' }
    const send = (method: string, path: string, body?: unknown) =>
      client.send(method, `/api/interaction${path}`, body, headers)
    await send('PUT', '', { event: 'Register', profile: { username } })
    await send('PUT', '/event', { event: 'SignIn' })
    await send('PUT', '/event', { event: 'Register' })
    await send('DELETE', '/profile')
    await send('PUT', '/profile', { username })
    await send('PATCH', '/profile', { password: SECRET })
    const consent = await resumeAuthorization(client, await send('POST', '/submit'))
    const consented = await client.send('POST', '/api/interaction/consent', undefined, {
      Interaction: consent.searchParams.get('interaction') ?? '',
    })
    const back = await resumeAuthorization(client, consented)
    const answer = back.searchParams.get('code') ?? ''
    const tokens = await (await redeemCode(app, request, answer)).json()
    const { refresh_token } = tokens as { refresh_token: string }
    const refresh = { grant_type: 'refresh_token', refresh_token, client_id: 'demo-app' }
    await app.fetch('/oidc/token', { method: 'POST', body: new URLSearchParams(refresh) })
    await redeemCode(app, request, answer)

    const other = newCookieClient(app)
    await signIn(other, await openSignInPage(other, await authorizationRequest()), username, SECRET)
    const wrong = newCookieClient(app)
    await signIn(
      wrong,
      await openSignInPage(wrong, await authorizationRequest()),
      username,
      `${SECRET}-wrong`,
    )
    await app.fetch('/oidc/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'demo-app',
        code: 'guess-me',
      }),
    })

    const interaction = await beginInteraction(app)
    const email = freshEmail()
    await interaction.start('ForgotPassword')
    await interaction.prove({ email })
    code = await codeTo(app, { email })
    await interaction.submit()
    const [submit] = await logs('?logKey=Interaction.Register.Submit')
    userId = String(submit?.payload.userId)
  })

  it.each([
    { key: 'Interaction.Create', payload: { params: expect.any(Object), interactionId: expect.any(String) } },
    { key: 'Interaction.End', payload: { userId: expect.any(String), applicationId: 'demo-app' } },
    {
      key: 'Interaction.Register.Update',
      payload: {
        ip: '203.0.113.7',
        userAgent: 'Test Browser',
        interactionId: expect.any(String),
        requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      },
    },
    { key: 'Interaction.SignIn.Update', payload: {} },
    { key: 'Interaction.Register.Profile.Create', payload: { profile: expect.any(Object) } },
    { key: 'Interaction.Register.Profile.Update', payload: { profile: { password: '******' } } },
    { key: 'Interaction.Register.Profile.Delete', payload: {} },
    { key: 'Interaction.Register.Submit', payload: { userId: expect.stringMatching(/^\w{12}$/) } },
    { key: 'Interaction.SignIn.Identifier.Password.Submit', payload: {} },
    { key: 'Interaction.ForgotPassword.Update', payload: {} },
    {
      key: 'Interaction.ForgotPassword.Identifier.VerificationCode.Create',
      payload: { email: expect.stringContaining('@') },
    },
    { key: 'Interaction.ForgotPassword.Identifier.VerificationCode.Submit', payload: {} },
    { key: 'Interaction.ForgotPassword.Submit', payload: { result: 'Error' } },
    { key: 'Interaction.SignIn.Submit', payload: { userId: expect.stringMatching(/^\w{12}$/) } },
    {
      key: 'ExchangeTokenBy.AuthorizationCode',
      payload: {
        sessionId: expect.any(String),
        tokenTypes: expect.any(Array),
        params: expect.objectContaining({ code: '******' }),
      },
    },
    {
      key: 'ExchangeTokenBy.RefreshToken',
      payload: { params: expect.objectContaining({ refresh_token: '******' }), applicationId: 'demo-app' },
    },
    { key: 'ExchangeTokenBy.ClientCredentials', payload: { applicationId: 'management' } },
    { key: 'RevokeToken', payload: { grantId: expect.any(String), tokenTypes: expect.any(Array) } },
  ])('[ASVS-16.2.1] has the key $key', async ({ key, payload: expected }) => {
    const entries = await logs(`?logKey=${key}&page_size=100`)
    expect(entries.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ key, result: expect.stringMatching(/^(?:Success|Error)$/), ...expected }),
    )
  })

  it('[ASVS-16.3.1] contains the error code of a failed call', async () => {
    const entries = await logs('?logKey=Interaction.SignIn.Identifier.Password.Submit&page_size=100')
    expect(entries.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ result: 'Error', error: { code: 'session.invalid_credentials' } }),
    )
  })

  it('names the account for which a password was entered, whether correct or wrong', async () => {
    const key = 'Interaction.SignIn.Identifier.Password.Submit'
    const entries = await logs(`?logKey=${key}&userId=${userId}`)
    expect(entries.map(({ payload }) => payload.result).toSorted()).toEqual(['Error', 'Success'])
  })

  it('has an id under which it can be requested, also if it shares a row', async () => {
    const entries = await logs(`?userId=${userId}&page_size=100`)
    const steps = entries.filter(({ id }) => /^~\w{20}\.\d$/.test(id))
    expect(steps.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['Interaction.Create', 'Interaction.SignIn.Update']),
    )
    for (const entry of steps) expect(await (await operator.get(`/logs/${entry.id}`)).json()).toEqual(entry)
    expect((await operator.get(`/logs/${steps[0]?.id}9`)).status).toBe(404)
  })

  it('names its user, so a search for the user finds the entry', async () => {
    const entries = await logs(`?userId=${userId}&page_size=100`)
    expect(entries.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['Interaction.Register.Submit', 'Interaction.SignIn.Submit']),
    )
  })

  it('[ASVS-16.2.5] contains no secrets', async () => {
    const { results } = await app.env.DB.prepare('select payload from logs').all()
    const text = JSON.stringify(results)
    expect(text).not.toMatch(new RegExp(`(?<!\\d)${code}(?!\\d)`))
    for (const secret of [SECRET, PASSWORD, 'guess-me', app.env.MANAGEMENT_CLIENT_SECRET ?? '']) {
      expect(text).not.toContain(secret)
    }
  })
})
