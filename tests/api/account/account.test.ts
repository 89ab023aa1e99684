import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { asBearer, type Member, newMember } from '../../kit/clients/account-client.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import { freshEmail, outcomeOf } from '../../kit/clients/interaction-client.ts'
import { machineToken, newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

const APP = 'https://shop.example'
const json = async (response: Response) => (await response.json()) as Record<string, unknown>

async function newApplication(custom: Record<string, unknown> = {}) {
  const created = await operator.send('POST', '/applications', {
    name: 'Shop',
    type: 'SPA',
    oidcClientMetadata: { redirectUris: [`${APP}/back`], postLogoutRedirectUris: [] },
    customClientMetadata: custom,
  })
  expect(created.status).toBe(200)
  return (await created.json()) as { id: string }
}

describe('the profile in the account API', () => {
  it('[ASVS-8.2.3] contains only the fields that the token’s scopes allow', async () => {
    const member = await storeMember(app)
    await operator.send('PATCH', `/users/${member.userId}`, { primaryEmail: freshEmail(), name: 'Ann' })
    const profile = await json(await member.call('GET'))
    expect(profile).toEqual({
      id: member.userId,
      username: member.username,
      name: 'Ann',
      avatar: null,
      primaryEmail: expect.stringContaining('@'),
      emailVerified: true,
      primaryPhone: null,
      phoneVerified: false,
      termsAgreement: null,
      hasPassword: true,
      createdAt: expect.any(Number),
      lastSignInAt: expect.any(Number),
      profile: {},
      profileUpdatedAt: expect.any(Number),
    })

    const limited = await storeMember(app, { scope: 'openid profile' })
    expect(Object.keys(await json(await limited.call('GET')))).not.toContain('primaryEmail')
    expect(await outcomeOf(await limited.call('GET', '/custom-data'))).toEqual([403, 'auth.forbidden'])
    const forbidden = await limited.call('GET', '/identities')
    expect(await outcomeOf(forbidden)).toEqual([403, 'auth.forbidden'])
    expect(forbidden.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="openid identities"',
    )
    expect(forbidden.headers.get('cache-control')).toBe('no-store')
  })

  it('[ASVS-8.2.3-2] accepts the user’s changes, but rejects invalid values and fields reserved for operators', async () => {
    const member = await storeMember(app)
    const username = freshName()
    await member.call('POST', '/password/verify', { password: PASSWORD })
    const changed = await member.call('PATCH', '', {
      username,
      name: 'Ann',
      avatar: 'https://a.example/a.png',
    })
    expect(await json(changed)).toMatchObject({ username, name: 'Ann', avatar: 'https://a.example/a.png' })
    expect(await json(await member.call('PATCH', '', { name: '', avatar: null }))).toMatchObject({
      name: null,
      avatar: null,
    })
    for (const wrong of [
      { isSuspended: true },
      { primaryEmail: 'a@b.c' },
      { username: '1ann' },
      { username: null },
      { username: '' },
      { avatar: 'javascript:x' },
    ])
      expect((await outcomeOf(await member.call('PATCH', '', wrong))).slice(0, 2)).toEqual([
        400,
        'guard.invalid_input',
      ])

    const client = newCookieClient(app)
    expect(
      (await signIn(client, await openSignInPage(client, await authorizationRequest()), username)).ok,
    ).toBe(true)
    const { results } = await app.env.DB.prepare(
      "select payload from logs where key = 'Account.Profile.Update' and user_id = ?",
    )
      .bind(member.userId)
      .all<{ payload: string }>()
    expect(JSON.parse(results[0]?.payload ?? '')).toMatchObject({
      changed: ['username', 'name', 'avatar'],
      applicationId: 'demo-app',
      result: 'Success',
    })
    expect(JSON.stringify(results)).not.toContain('a.example')
  })

  it('[ASVS-7.5.1-6] requires a recent verification to change the username', async () => {
    const { call, username } = await storeMember(app)
    expect(await outcomeOf(await call('PATCH', '', { username: freshName(), name: 'Grace' }))).toEqual([
      401,
      'auth.insufficient_user_authentication',
      { maxAge: 600 },
    ])
    expect(await json(await call('GET', ''))).toMatchObject({ username, name: null })
    expect((await call('PATCH', '', { username, name: 'Grace' })).status).toBe(200)
  })

  it('rejects a username that is taken, even in concurrent calls', async () => {
    const members = await Promise.all([storeMember(app), storeMember(app), storeMember(app)])
    for (const { call } of members) await call('POST', '/password/verify', { password: PASSWORD })
    expect(await outcomeOf(await members[0].call('PATCH', '', { username: members[1].username }))).toEqual([
      422,
      'user.username_already_in_use',
    ])
    const username = freshName()
    const answers = await Promise.all(members.map(({ call }) => call('PATCH', '', { username })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
  })
})

describe('the user’s custom data', () => {
  it('is merged with each change, and has a maximum size', async () => {
    const member = await storeMember(app)
    const add = (customData: unknown) => member.call('PATCH', '/custom-data', { customData })
    expect(await json(await add({ a: { b: 1 }, c: 2 }))).toEqual({ a: { b: 1 }, c: 2 })
    expect(await json(await add({ a: { d: 1 } }))).toEqual({ a: { d: 1 }, c: 2 })
    expect(await json(await member.call('GET', '/custom-data'))).toEqual({ a: { d: 1 }, c: 2 })
    expect((await outcomeOf(await add([])))[1]).toBe('guard.invalid_input')
    await add({ x: 'x'.repeat(40_000) })
    expect(await outcomeOf(await add({ y: 'y'.repeat(40_000) }))).toEqual([413, 'guard.invalid_input'])
  })

  it('[ASVS-2.4.1-29] is limited to 64 KiB in UTF-8, and so are the hook messages that contain it', async () => {
    const { DB } = app.env
    await DB.prepare(
      "insert into hooks (tenant_id, id, event, account_event, config, secret, created_at) values ('default', 'large', 'PostSignIn', 'User.Updated', ?, 's', 1)",
    )
      .bind(JSON.stringify({ url: 'https://receiver.example', retries: 0 }))
      .run()
    onTestFinished(async () => void (await DB.prepare("delete from hooks where id = 'large'").run()))
    const member = await storeMember(app)
    const statuses = []
    // Each value has 40,000 bytes, which are 20,000 characters in JavaScript and 10,000 in SQLite.
    for (const key of ['a', 'b', 'c']) {
      const customData = { [key]: '😀'.repeat(10_000) }
      statuses.push((await member.call('PATCH', '/custom-data', { customData })).status)
    }
    expect(statuses).toEqual([200, 413, 413])
    expect((await member.call('PATCH', '', { name: 'Ann' })).status).toBe(200)
    const largest = await DB.prepare(
      "select max(length(cast(payload as blob))) as bytes from outbox where hook_id = 'large'",
    ).first<number>('bytes')
    expect(largest).toBeGreaterThan(40_000)
    expect(largest).toBeLessThan(70_000)
  })
})

describe('an access token for the account API', () => {
  const invalidTokens: { what: string; headers: Record<string, string>; code: string }[] = [
    { what: 'it is missing', headers: {}, code: 'auth.authorization_header_missing' },
    {
      what: 'its scheme is not supported',
      headers: { authorization: 'Basic YTpi' },
      code: 'auth.authorization_token_type_not_supported',
    },
    { what: 'it is malformed', headers: { authorization: 'Bearer nonsense' }, code: 'auth.unauthorized' },
    { what: 'it is empty', headers: { authorization: 'Bearer' }, code: 'auth.unauthorized' },
    {
      what: 'it is a malformed JWT',
      headers: { authorization: 'Bearer a.b.c' },
      code: 'auth.unauthorized',
    },
  ]
  it.each(invalidTokens)('is rejected if $what', async ({ headers, code }) => {
    for (const path of ['', '/custom-data', '/identities', '/sessions']) {
      const response = await app.fetch(`/api/me${path}`, { headers })
      expect((await outcomeOf(response)).slice(0, 2)).toEqual([401, code])
      const challenge = response.headers.get('www-authenticate')
      expect(challenge).toMatch(/^Bearer/)
      expect(challenge).toContain(`resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/api/me"`)
      const scope =
        path === '/custom-data' ? 'custom_data' : path === '/identities' ? 'identities' : 'profile'
      expect(challenge).toContain(`scope="openid ${scope}"`)
    }
  })

  it('[RFC9700-4.15.1] is rejected if it was issued to an application rather than a user', async () => {
    const call = asBearer(app, await machineToken(app))
    expect(await outcomeOf(await call('GET'))).toEqual([403, 'auth.forbidden'])
  })

  it('[RFC9700-4.9.1] is rejected if it was issued for another API', async () => {
    await operator.send('POST', '/resources', { name: 'Shop', indicator: 'https://api.shop.example' })
    const application = await newApplication()
    const { request, client } = await newMember(app, {
      clientId: application.id,
      redirectUri: `${APP}/back`,
    })
    const url = new URL(request.url, ORIGIN)
    url.searchParams.set('resource', 'https://api.shop.example')
    const back = new URL((await client.get(url.pathname + url.search)).headers.get('location') ?? '')
    const answer = await app.fetch('/oidc/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: application.id,
        code: back.searchParams.get('code') ?? '',
        code_verifier: request.verifier,
        redirect_uri: request.redirectUri,
        resource: 'https://api.shop.example',
      }),
    })
    const { access_token: token = '' } = (await answer.json()) as Record<string, string>
    expect(token.split('.')).toHaveLength(3)
    expect(await outcomeOf(await asBearer(app, token)('GET'))).toEqual([401, 'auth.unauthorized'])
  })

  it('[ASVS-8.2.2-2] is rejected if it was issued to a third-party application', async () => {
    const application = await newApplication({ isThirdParty: true })
    const member = await storeMember(app)
    // Other tests cover consent, so this one only reassigns a token of the demo application to the third party.
    await app.env.DB.prepare(
      "update oidc_model_instances set payload = replace(payload, 'demo-app', ?) where account_id = ?",
    )
      .bind(application.id, member.userId)
      .run()
    expect(await outcomeOf(await member.call('GET'))).toEqual([403, 'auth.forbidden'])
  })

  const ends: { what: string; end(member: Member): Promise<unknown> }[] = [
    {
      what: 'its revocation',
      end: ({ token }) =>
        app.fetch('/oidc/token/revocation', {
          method: 'POST',
          body: new URLSearchParams({ token, client_id: 'demo-app' }),
        }),
    },
    {
      what: 'a sign-out',
      async end({ client }) {
        const page = await (await client.get('/oidc/session/end')).text()
        const xsrf = /name="xsrf" value="(\w+)"/.exec(page)?.[1] ?? ''
        await client.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' }, { origin: ORIGIN })
      },
    },
    {
      what: 'the suspension of its user',
      end: ({ userId }) => operator.send('PATCH', `/users/${userId}/is-suspended`, { isSuspended: true }),
    },
    { what: 'the deletion of its user', end: ({ userId }) => operator.send('DELETE', `/users/${userId}`) },
    {
      what: 'a password change by an operator',
      end: ({ userId }) => operator.send('PATCH', `/users/${userId}/password`, { password: 'other-horse-8' }),
    },
    {
      what: 'a revocation that has not deleted its rows yet',
      end: ({ userId }) =>
        app.env.DB.prepare('update users set revoked_at = ? where id = ?')
          .bind(Date.now() + 1000, userId)
          .run(),
    },
    {
      what: 'its expiry',
      end: ({ userId }) =>
        app.env.DB.prepare(
          "update oidc_model_instances set expires_at = 1, payload = json_set(payload, '$.exp', 1) where account_id = ? and model_name = 'AccessToken'",
        )
          .bind(userId)
          .run(),
    },
    {
      what: 'the end of its session',
      end: ({ userId }) =>
        app.env.DB.prepare("delete from oidc_model_instances where account_id = ? and model_name = 'Session'")
          .bind(userId)
          .run(),
    },
    {
      what: 'the end of its grant',
      end: ({ userId }) =>
        app.env.DB.prepare("delete from oidc_model_instances where account_id = ? and model_name = 'Grant'")
          .bind(userId)
          .run(),
    },
  ]
  it.each(ends)('[ASVS-8.3.2-3] is rejected after $what', async ({ end }) => {
    const member = await storeMember(app)
    expect((await member.call('GET')).status).toBe(200)
    await end(member)
    expect(await outcomeOf(await member.call('GET'))).toEqual([401, 'auth.unauthorized'])
    const userinfo = await app.fetch('/oidc/me', { headers: { authorization: `Bearer ${member.token}` } })
    expect(userinfo.status).toBe(401)
  })

  it('is rejected after its application was deleted', async () => {
    const application = await newApplication()
    const member = await newMember(app, { clientId: application.id, redirectUri: `${APP}/back` })
    expect((await member.call('GET')).status).toBe(200)
    await operator.send('DELETE', `/applications/${application.id}`)
    expect(await outcomeOf(await member.call('GET'))).toEqual([401, 'auth.unauthorized'])
  })

  it('is verified in one round trip to the database', async () => {
    const member = await storeMember(app)
    await member.call('GET')
    app.trips()
    await member.call('GET')
    expect(app.trips()).toEqual({ awaited: 1, afterwards: 0 })
  })
})

describe('an application’s web pages', () => {
  const cors = (response: Response) => response.headers.get('access-control-allow-origin')

  it('[ASVS-3.4.2] can call the account API only from registered origins', async () => {
    const application = await newApplication({ corsAllowedOrigins: ['https://listed.example'] })
    const member = await newMember(app, { clientId: application.id, redirectUri: `${APP}/back` })
    for (const origin of [APP, 'https://listed.example', ORIGIN]) {
      const allowed = await member.call('GET', '', undefined, { origin })
      expect([allowed.status, cors(allowed), allowed.headers.get('vary')]).toEqual([200, origin, 'Origin'])
    }
    for (const origin of ['https://evil.example', 'null', 'https://shop.example.evil.example']) {
      const forbidden = await member.call('PATCH', '', { name: 'Evil' }, { origin })
      expect([forbidden.status, cors(forbidden)]).toEqual([403, null])
      expect(await json(forbidden)).toMatchObject({ code: 'auth.forbidden' })
    }
    expect(await json(await member.call('GET'))).toMatchObject({ name: null })
  })

  it('can send a preflight request', async () => {
    for (const path of ['/api/me', '/api/me/password', '/api/me/sessions/x']) {
      const preflight = await app.fetch(path, {
        method: 'OPTIONS',
        headers: {
          origin: APP,
          'access-control-request-method': 'PATCH',
          'access-control-request-headers': 'authorization,content-type',
        },
      })
      expect([preflight.status, cors(preflight)]).toEqual([200, APP])
      expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH')
      expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization')
      expect(preflight.headers.get('access-control-max-age')).toBe('3600')
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  it('can read the error for a rejected token', async () => {
    const refused = await app.fetch('/api/me', { headers: { origin: APP, authorization: 'Bearer old' } })
    expect([refused.status, cors(refused)]).toEqual([401, APP])
  })

  it('cannot make cross-origin calls to other parts of the API', async () => {
    const users = await app.fetch('/api/users', { method: 'OPTIONS', headers: { origin: APP } })
    expect(cors(users)).toBeNull()
  })
})
