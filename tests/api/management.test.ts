import { env } from 'cloudflare:workers'
import { importJWK, type JWTPayload, SignJWT } from 'jose'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { HOUR_SECONDS } from '../../src/contract/time.ts'
import { openD1 } from '../../src/storage/d1.ts'
import { createSeals } from '../../src/storage/seal.ts'
import { readSigningKeys } from '../../src/storage/tenants/signing-keys.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
  resumeAuthorization,
  signIn,
} from '../kit/clients/cookie-client.ts'
import {
  asOperator,
  machineToken,
  newMachine,
  newOperator,
  type Operator,
} from '../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { managementTable } from './management-table.ts'
import { operatorProofs } from './operator-proofs.ts'

const AUDIENCE = 'urn:vestibule:management-api'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

const codeOf = async (response: Response) => {
  const { code } = (await response.json()) as { code: string }
  return [response.status, code]
}

/** A token signed with the tenant's own key. */
async function forged(claims: JWTPayload, header: { typ?: string; alg?: string } = {}) {
  const { jwks } = await readSigningKeys(
    { db: openD1(env.DB), seals: createSeals(env.ROOT_SECRET ?? ''), now: Date.now },
    'default',
  )
  const alg = header.alg ?? 'RS256'
  const jwk = jwks.keys.find((key) => key.alg === alg)
  if (!jwk) throw new Error('no key')
  const now = Math.floor(Date.now() / 1000)
  const whole = {
    iss: `${ORIGIN}/oidc`,
    aud: AUDIENCE,
    sub: 'management',
    client_id: 'management',
    scope: 'all',
    iat: now,
    exp: now + 60,
    ...claims,
  }
  return new SignJWT(JSON.parse(JSON.stringify(whole)))
    .setProtectedHeader({ alg, typ: header.typ ?? 'at+jwt', kid: jwk.kid ?? '' })
    .sign(await importJWK(jwk, alg))
}

type Client = { id: string; redirectUri: string }

/** An application through which users administer the tenant. */
async function newConsole(): Promise<Client> {
  const redirectUri = 'https://console.example/callback'
  const created = await operator.send('POST', '/applications', {
    name: 'Console',
    type: 'SPA',
    oidcClientMetadata: { redirectUris: [redirectUri], postLogoutRedirectUris: [] },
    customClientMetadata: { allowedBuiltInResources: [AUDIENCE] },
  })
  const { id } = (await created.json()) as { id: string }
  return { id, redirectUri }
}

/** A user who administers the tenant, with an access token of a sign-in. */
async function newAdministrator(client?: Client) {
  const { id: clientId, redirectUri } = client ?? (await newConsole())
  const username = freshName()
  const created = await operator.send('POST', '/users', { username, password: PASSWORD })
  const { id } = (await created.json()) as { id: string }
  await app.env.DB.prepare(
    "insert into users_roles (tenant_id, id, user_id, role_id) values ('default', ?, ?, 'admin-role')",
  )
    .bind(id, id)
    .run()

  const browser = newCookieClient(app)
  const request = await authorizationRequest({
    scope: 'openid all',
    resource: AUDIENCE,
    client_id: clientId,
    redirect_uri: redirectUri,
  })
  const uid = await openSignInPage(browser, request)
  const back = await resumeAuthorization(browser, await signIn(browser, uid, username))
  const redeemed = await app.fetch('/oidc/token', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: back.searchParams.get('code') ?? '',
      code_verifier: request.verifier,
      redirect_uri: redirectUri,
      resource: AUDIENCE,
    }),
  })
  const { access_token: token } = (await redeemed.json()) as { access_token: string }
  return { id, operator: asOperator(app, token) }
}

describe('the management API accepts', () => {
  it('an application with a token for it', async () => {
    const response = await operator.get('/users')
    expect(response.status).toBe(200)
    expect(response.headers.has('www-authenticate')).toBe(false)
  })

  it('a token with all claims', async () => {
    expect((await asOperator(app, await forged({})).get('/users')).status).toBe(200)
    expect((await asOperator(app, await forged({}, { alg: 'ES384' })).get('/users')).status).toBe(200)
  })

  const metadata =
    'resource_metadata="http://localhost:8787/.well-known/oauth-protected-resource/api", scope="users:read all"'
  const missing = `Bearer ${metadata}`
  const invalid = `Bearer error="invalid_token", ${metadata}`
  it.each([
    { said: undefined, code: 'auth.authorization_header_missing', challenge: missing },
    { said: 'Basic bWU6bWU=', code: 'auth.authorization_token_type_not_supported', challenge: missing },
    { said: 'DPoP abc', code: 'auth.unauthorized', challenge: invalid.replace('Bearer', 'DPoP') },
    { said: 'Bearer', code: 'auth.unauthorized', challenge: invalid },
    { said: 'Bearer not.a.token', code: 'auth.unauthorized', challenge: invalid },
  ])('not the header $said', async ({ said, code, challenge }) => {
    const response = await app.fetch(
      '/api/users',
      said === undefined ? {} : { headers: { authorization: said } },
    )
    expect(await codeOf(response)).toEqual([401, code])
    expect(response.headers.get('www-authenticate')).toBe(challenge)
  })

  it('and names the supported types', async () => {
    const response = await app.fetch('/api/users', { headers: { authorization: 'Digest x' } })
    expect(await response.json()).toMatchObject({ data: { supportedTypes: ['Bearer', 'DPoP'] } })
  })

  it.each([
    { what: 'of another issuer', claims: { iss: 'http://localhost:9999/oidc' } },
    { what: 'for another audience', claims: { aud: 'urn:other' } },
    { what: 'that has expired', claims: { exp: 1_000_000_000 } },
    { what: 'that never expires', claims: { exp: undefined } },
    { what: 'of no client', claims: { client_id: undefined } },
    { what: 'that is bound to a key', claims: { cnf: { jkt: 'abc' } } },
    { what: 'of an application that is gone', claims: { sub: 'gone', client_id: 'gone' } },
    { what: 'of a user who is gone', claims: { sub: 'unknown' } },
  ])('[RFC9700-2.3-5] not with a token $what', async ({ claims }) => {
    const response = await asOperator(app, await forged(claims)).get('/users')
    expect(await codeOf(response)).toEqual([401, 'auth.unauthorized'])
  })

  it('[RFC9700-4.9.1-2] not with an ID token', async () => {
    expect(await codeOf(await asOperator(app, await forged({}, { typ: 'JWT' })).get('/users'))).toEqual([
      401,
      'auth.unauthorized',
    ])
  })

  it('[ASVS-9.1.1] not with a token that was altered', async () => {
    const [header, , signature] = operator.token.split('.')
    const claims = Buffer.from(JSON.stringify({ sub: 'management', scope: 'all' })).toString('base64url')
    const response = await asOperator(app, [header, claims, signature].join('.')).get('/users')
    expect(await codeOf(response)).toEqual([401, 'auth.unauthorized'])
  })

  it('not without a subject', async () => {
    const response = await asOperator(app, await forged({ sub: undefined })).get('/users')
    expect(await codeOf(response)).toEqual([401, 'auth.jwt_sub_missing'])
  })

  it.each([{ scope: undefined }, { scope: 'al' }, { scope: 'everything' }])(
    '[ASVS-8.2.1] not with $scope alone',
    async (claims) => {
      const response = await asOperator(app, await forged(claims)).get('/users')
      expect(await codeOf(response)).toEqual([403, 'auth.forbidden'])
      expect(response.headers.get('www-authenticate')).toContain('insufficient_scope')
    },
  )

  it('not with a header of former development builds', async () => {
    const response = await app.fetch('/api/users', { headers: { 'development-user-id': 'me' } })
    expect(await codeOf(response)).toEqual([401, 'auth.authorization_header_missing'])
  })

  it('only after authentication, which comes before the body', async () => {
    const response = await app.fetch('/api/users', { method: 'POST', body: 'x'.repeat(100_000) })
    expect(await codeOf(response)).toEqual([401, 'auth.authorization_header_missing'])
  })

  it('an application with the administrator role, until it loses it or is gone', async () => {
    const created = await operator.send('POST', '/applications', { name: 'Worker', type: 'MachineToMachine' })
    const { id } = (await created.json()) as { id: string }
    const promoted = await operator.send('PATCH', `/applications/${id}`, { isAdmin: true })
    const application = (await promoted.json()) as { id: string; secret: string }
    const worker = asOperator(app, await machineToken(app, application))
    expect((await worker.get('/users')).status).toBe(200)

    await operator.send('PATCH', `/applications/${application.id}`, { isAdmin: false })
    const powerless = asOperator(app, await machineToken(app, application))
    expect(await codeOf(await powerless.get('/users'))).toEqual([403, 'auth.forbidden'])

    await operator.send('DELETE', `/applications/${application.id}`)
    expect(await codeOf(await worker.get('/users'))).toEqual([401, 'auth.unauthorized'])
  })

  it('a user with the administrator role, who cannot delete the own account or remove its ways to sign in', async () => {
    const administrator = await newAdministrator()
    expect((await administrator.operator.get('/users')).status).toBe(200)
    expect(await codeOf(await administrator.operator.send('DELETE', `/users/${administrator.id}`))).toEqual([
      400,
      'user.cannot_delete_self',
    ])
    for (const own of ['factors', 'passkeys/any', 'identities/github'])
      expect(
        await codeOf(await administrator.operator.send('DELETE', `/users/${administrator.id}/${own}`)),
      ).toEqual([400, 'user.cannot_reset_own_factors'])
  })

  it('a user only through an existing application that is listed for it', async () => {
    const client = await newConsole()
    const administrator = await newAdministrator(client)
    expect((await administrator.operator.get('/users')).status).toBe(200)

    const application = `/applications/${client.id}`
    await operator.send('PATCH', application, { customClientMetadata: { allowedBuiltInResources: null } })
    expect(await codeOf(await administrator.operator.get('/users'))).toEqual([403, 'auth.forbidden'])
    await operator.send('DELETE', application)
    expect(await codeOf(await administrator.operator.get('/users'))).toEqual([401, 'auth.unauthorized'])
  })

  it('a user only until the suspension', async () => {
    const administrator = await newAdministrator()
    await operator.send('PATCH', `/users/${administrator.id}/is-suspended`, { isSuspended: true })
    expect(await codeOf(await administrator.operator.get('/users'))).toEqual([401, 'auth.unauthorized'])
    await operator.send('PATCH', `/users/${administrator.id}/is-suspended`, { isSuspended: false })
    expect(await codeOf(await administrator.operator.get('/users'))).toEqual([401, 'auth.unauthorized'])
  })
})

describe('an invalid request', () => {
  const post = (init: RequestInit) =>
    app.fetch('/api/users', {
      method: 'POST',
      ...init,
      headers: {
        authorization: `Bearer ${operator.token}`,
        'content-type': 'application/json',
        ...Object.fromEntries(new Headers(init.headers)),
      },
    })

  it.each<{ what: string; init: RequestInit; status: number }>([
    { what: 'malformed JSON', init: { body: '{' }, status: 400 },
    { what: 'no object', init: { body: '[]' }, status: 400 },
    { what: 'text', init: { body: '{}', headers: { 'content-type': 'text/plain' } }, status: 415 },
    {
      what: 'a form',
      init: { body: 'username=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      status: 415,
    },
    { what: 'more than 64 KiB', init: { body: JSON.stringify({ name: 'x'.repeat(70_000) }) }, status: 413 },
  ])('is refused because it is $what', async ({ init, status }) => {
    expect(await codeOf(await post(init))).toEqual([status, 'guard.invalid_input'])
  })

  it.each<{ what: string; field: string; value: unknown }>([
    { what: 'a name that begins with a digit', field: 'username', value: '1abc' },
    { what: 'a NUL', field: 'username', value: 'a\0b' },
    { what: 'an empty name', field: 'username', value: '' },
    // As a function, because the name of a test has to be well formed.
    { what: 'a lone surrogate', field: 'name', value: () => '\ud800' },
    { what: 'a long name', field: 'name', value: 'x'.repeat(129) },
    { what: 'a number', field: 'name', value: 7 },
    { what: 'half an address', field: 'primaryEmail', value: 'not-an-address' },
    { what: 'a plus sign', field: 'primaryPhone', value: '+4917012345' },
    { what: 'a short password', field: 'password', value: 'short' },
    { what: 'a long password', field: 'password', value: 'x'.repeat(129) },
  ])('[ASVS-2.2.1] is refused because of $what, and names the field', async ({ field, value }) => {
    const response = await operator.send('POST', '/users', {
      [field]: value instanceof Function ? value() : value,
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      code: 'guard.invalid_input',
      data: {
        name: 'ZodError',
        issues: expect.arrayContaining([expect.objectContaining({ path: [field] })]),
      },
      details: expect.stringContaining(field),
    })
  })

  it('is refused because its path cannot be stored', async () => {
    expect(await codeOf(await operator.get('/users/a%00b'))).toEqual([400, 'guard.invalid_input'])
  })
})

describe('a list', () => {
  let created: string[]
  beforeAll(async () => {
    created = []
    for (let number = 0; number < 5; number++) {
      const response = await operator.send('POST', '/users', { name: `Listed ${number}` })
      created.unshift(((await response.json()) as { id: string }).id)
    }
  })

  const listed = async (query: string) => {
    const response = await operator.get(`/users?${query}`)
    const links = Object.fromEntries(
      [...(response.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(
        ([, address, rel]) => [rel, new URL(address ?? '').search],
      ),
    )
    const users = (await response.json()) as { id: string; name: string | null }[]
    return { ids: users.map(({ id }) => id), total: response.headers.get('total-number'), links, response }
  }

  it('comes in pages, newest first, with links to the others', async () => {
    const query = 'search.name=Listed%25&page_size=2'
    const first = await listed(query)
    const second = await listed(`${query}&page=2`)
    const third = await listed(`${query}&page=3`)
    expect([...first.ids, ...second.ids, ...third.ids]).toEqual(created)
    expect([first.total, second.total, third.total]).toEqual(['5', '5', '5'])

    const at = (page: number) => `?search.name=Listed%25&page_size=2&page=${page}`
    const own = (search: string | undefined) => Object.fromEntries(new URLSearchParams(search))
    expect(Object.keys(first.links)).toEqual(['first', 'next', 'last'])
    expect(own(first.links.next)).toEqual(own(at(2)))
    expect(own(first.links.last)).toEqual(own(at(3)))
    expect(Object.keys(second.links)).toEqual(['first', 'prev', 'next', 'last'])
    expect(own(second.links.prev)).toEqual(own(at(1)))
    expect(Object.keys(third.links)).toEqual(['first', 'prev', 'last'])
    expect(first.response.headers.has('total-capped')).toBe(false)
  })

  it('has twenty entries on a page by default, and counts all without a search', async () => {
    const { links, total, ids } = await listed('')
    expect(ids.length).toBeLessThanOrEqual(20)
    expect(Number(total)).toBeGreaterThanOrEqual(5)
    expect(links.first).toContain('page_size=20')
  })

  it('is empty after the last page, with links back', async () => {
    const { ids, links } = await listed('search.name=Listed%25&page=9&page_size=2')
    expect(ids).toEqual([])
    expect(links.prev).toContain('page=3')
    expect(links.next).toBeUndefined()
  })

  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'page=',
    'page_size=0',
    'page_size=101',
    'page_size=1e2',
    'page=1&page=2',
    'page=99999999999999999999',
    'page=9007199254740991&page_size=100',
  ])('refuses %s', async (query) => {
    for (const path of ['/users', '/applications']) {
      expect(await codeOf(await operator.get(`${path}?${query}`))).toEqual([400, 'guard.invalid_pagination'])
    }
  })

  it('stops counting at ten thousand when it is filtered', async () => {
    const { DB } = app.env
    const rows = 10_005
    await DB.prepare(
      `insert into users (tenant_id, id, name, created_at)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
       select 'default', 'many' || i, 'Many users', i from n`,
    ).run()
    const capped = await listed('search.name=Many%20users&page_size=100&page=2')
    expect(capped.total).toBe('10000')
    expect(capped.response.headers.get('total-capped')).toBe('true')
    expect(Object.keys(capped.links)).toEqual(['first', 'prev', 'next'])
    expect(capped.ids.length).toBe(100)

    const all = await listed('page_size=1')
    expect(Number(all.total)).toBeGreaterThan(rows)
    expect(all.response.headers.has('total-capped')).toBe(false)
    await DB.prepare("delete from users where name = 'Many users'").run()
  })
})

describe('an answer', () => {
  it('has an ETag and is not sent again for it', async () => {
    const first = await operator.get('/users?page_size=1')
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"\w+"$/)
    const again = await operator.get('/users?page_size=1', { 'if-none-match': tag })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
    expect(again.headers.get('total-number')).toBe(first.headers.get('total-number'))
    expect(again.headers.get('link')).toBe(first.headers.get('link'))
    expect((await operator.get('/users?page_size=1', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('has a request id, refused or not', async () => {
    const ids = [await operator.get('/users'), await app.fetch('/api/users'), await app.fetch('/api/nothing')]
    for (const { headers } of ids) expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  })

  it('is in the language of the request when it refuses', async () => {
    const said = async (language: string) => {
      const response = await app.fetch('/api/users', { headers: { 'accept-language': language } })
      return ((await response.json()) as { message: string }).message
    }
    expect(await said('de')).not.toBe(await said('en'))
  })

  it('is 503 while the database fails, and changes are written as a whole', async () => {
    const fresh = openTestApp()
    const there = asOperator(fresh, operator.token)
    expect((await there.get('/users')).status).toBe(200)
    fresh.beforeEachTrip(() => {
      throw new Error('D1_ERROR: Network connection lost.')
    })
    const response = await there.send('POST', '/users', { username: 'half_written' })
    expect(await codeOf(response)).toEqual([503, 'server.unavailable'])
    expect(response.headers.get('retry-after')).toBe('1')
    fresh.beforeEachTrip(null)
    expect(await (await there.get('/users?search.username=half_written&mode=exact')).json()).toEqual([])
  })
})

describe('who changes the credentials of others, or lets others in (spec/management#operator-proof)', () => {
  const challenge = (acr = '') =>
    `Bearer error="insufficient_user_authentication", error_description="A ${acr ? 'recent, stronger' : 'more recent'} sign-in is required"${acr}, max_age="3600"`
  const TWO_FACTORS = 'urn:vestibule:acr:2fa'
  const twoFactors = `, acr_values="${TWO_FACTORS}"`
  const password = { password: `${PASSWORD}-given` }
  let administrator: string
  let clientId: string
  let user: string
  beforeAll(async () => {
    clientId = (await newConsole()).id
    administrator = (await newAdministrator()).id
    user = await newUser()
  })

  async function newUser(): Promise<string> {
    const created = await operator.send('POST', '/users', { username: freshName(), password: PASSWORD })
    return ((await created.json()) as { id: string }).id
  }
  /** With a sign-in that is so many seconds old. */
  const withSignIn = async (age: number | undefined, acr?: string) =>
    asOperator(
      app,
      await forged({
        ...{ sub: administrator, client_id: clientId, acr },
        auth_time: age === undefined ? undefined : Math.floor(Date.now() / 1000) - age,
      }),
    )

  it('[ASVS-8.2.1-19] reads and is answered no secret of an application with scopes of our own APIs after an old sign-in', async () => {
    const machine = await newMachine(operator, 'admin-role')
    const plain = await newMachine(operator)
    const path = (id: string) => `/applications/${id}`
    const secretsFor = async (caller: Operator) => {
      const named = [machine, plain].map(({ id }) => caller.send('PATCH', path(id), { name: 'Named' }))
      const lists = ['/applications', '/roles/admin-role/applications'].map((list) => caller.get(list))
      const one = [machine, plain].map(({ id }) => caller.get(path(id)))
      const bodies = await Promise.all(
        [...named, ...one, ...lists].map(async (answer) => (await answer).text()),
      )
      return [machine, plain].map(({ secret }) => bodies.filter((body) => body.includes(secret)).length)
    }
    expect(await secretsFor(await withSignIn(HOUR_SECONDS + 60))).toEqual([0, 3])
    expect(await secretsFor(await withSignIn(60))).toEqual([4, 3])
    expect(await secretsFor(operator)).toEqual([4, 3])
  })

  it('[ASVS-8.2.1-10] has every call that writes sorted by whether it needs a recent sign-in', () => {
    const writes = managementTable.map(([call]) => call).filter((call) => !call.startsWith('GET '))
    expect(Object.keys(operatorProofs).toSorted()).toEqual(writes.toSorted())
  })

  const attempts = (kind: 'needs' | 'free') =>
    Object.entries(operatorProofs).flatMap(([call, row]) =>
      (row[kind] ?? []).map((body) => {
        const [method = '', template = ''] = call.split(' ')
        return { method, template, body }
      }),
    )
  /** At a user that exists. */
  const pathOf = (template: string) =>
    template.replace(/^\/users\/\{id\}/, () => `/users/${user}`).replaceAll(/\{\w+\}/g, 'none')
  const ofSecrets = { method: 'GET', template: '/users/export?withTotpSecrets=true', body: undefined }

  it.each([...attempts('needs'), ofSecrets])(
    '[ASVS-8.2.1-11] has signed in lately: $method $template $body',
    async ({ method, template, body }) => {
      for (const age of [undefined, HOUR_SECONDS + 60]) {
        const refused = await (await withSignIn(age)).send(method, pathOf(template), body)
        expect(await codeOf(refused)).toEqual([401, 'auth.insufficient_user_authentication'])
        expect(refused.headers.get('www-authenticate')).toBe(challenge())
      }
      const recent = await (await withSignIn(HOUR_SECONDS - 60)).send(method, pathOf(template), body)
      expect([200, 204, 404, 422]).toContain(recent.status)
    },
  )

  it('[ASVS-8.2.1-12] needs no recent sign-in to read, to end access and to change what is shown', async () => {
    const late = await withSignIn(HOUR_SECONDS + 60)
    expect((await late.get('/users')).status).toBe(200)
    expect((await late.get('/users/export')).status).toBe(200)
    for (const { method, template, body } of attempts('free')) {
      const answer = await late.send(method, template.replaceAll(/\{\w+\}/g, 'none'), body)
      expect([200, 201, 204, 400, 404, 415, 422, 501], `${method} ${template}`).toContain(answer.status)
    }
    const free = [
      await late.send('PATCH', `/users/${user}`, { name: 'No credential' }),
      await late.send('PATCH', `/users/${user}/is-suspended`, { isSuspended: true }),
      await late.send('PATCH', `/applications/${clientId}`, { name: 'Console', description: null }),
    ]
    expect(free.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('[ASVS-8.2.1-13] has signed in lately before administrators are asked for less', async () => {
    const create = async (path: string, body: object) => {
      const answer = await operator.send('POST', path, { ...body, secondFactorPolicy: 'required' })
      return ((await answer.json()) as { id: string }).id
    }
    const role = await create('/roles', { name: freshName(), description: 'Staff' })
    const oidcClientMetadata = { redirectUris: ['https://shop.example/back'] }
    const shop = await create('/applications', { name: 'Shop', type: 'Traditional', oidcClientMetadata })
    await operator.send('PUT', `/users/${user}/roles`, { roleIds: ['support-role', role] })
    for (const [method, path] of [
      ['DELETE', `/users/${user}/roles/${role}`],
      ['DELETE', `/roles/${role}/users/${user}`],
      ['DELETE', `/roles/${role}`],
      ['DELETE', `/applications/${shop}`],
    ] as const) {
      const refused = await (await withSignIn(HOUR_SECONDS + 60)).send(method, path)
      expect(await codeOf(refused)).toEqual([401, 'auth.insufficient_user_authentication'])
      expect((await (await withSignIn(HOUR_SECONDS - 60)).send(method, path)).status).toBe(204)
      if (path.includes(user)) await operator.send('POST', `/roles/${role}/users`, { userIds: [user] })
    }
    await operator.send('PUT', `/users/${user}/roles`, { roleIds: [] })
  })

  it('has signed in with two factors, if there is a second one', async () => {
    onTestFinished(async () => {
      await operator.send('DELETE', `/users/${administrator}/factors`)
    })
    await operator.send('PATCH', '/configs/settings', { secondFactor: { policy: 'optional' } })
    await app.env.DB.prepare(
      "insert into totp_factors (tenant_id, user_id, secret, last_step, created_at) values ('default', ?, 'sealed', 1, 1)",
    )
      .bind(administrator)
      .run()
    const give = async (age: number, acr?: string) =>
      (await withSignIn(age, acr)).send('PATCH', `/users/${user}/password`, password)
    for (const refused of [await give(60), await give(HOUR_SECONDS + 60, TWO_FACTORS)]) {
      expect(await codeOf(refused)).toEqual([401, 'auth.insufficient_user_authentication'])
      expect(refused.headers.get('www-authenticate')).toBe(challenge(twoFactors))
    }
    expect((await give(60, TWO_FACTORS)).status).toBe(200)
  })
})
