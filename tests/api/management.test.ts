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
import { pairsOf, someOf } from '../kit/sweep.ts'
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

/** Returns a token with the given claims, signed with the tenant's own key. */
async function signToken(claims: JWTPayload, header: { typ?: string; alg?: string } = {}) {
  const { jwks } = await readSigningKeys(
    { db: openD1(env.DB), seals: createSeals(env.ROOT_SECRET ?? ''), now: Date.now },
    'default',
  )
  const alg = header.alg ?? 'RS256'
  const jwk = jwks.keys.find((key) => key.alg === alg)
  if (!jwk) throw new Error('no key')
  const now = Math.floor(Date.now() / 1000)
  const allClaims = {
    iss: `${ORIGIN}/oidc`,
    aud: AUDIENCE,
    sub: 'management',
    client_id: 'management',
    scope: 'all',
    iat: now,
    exp: now + 60,
    ...claims,
  }
  return new SignJWT(JSON.parse(JSON.stringify(allClaims)))
    .setProtectedHeader({ alg, typ: header.typ ?? 'at+jwt', kid: jwk.kid ?? '' })
    .sign(await importJWK(jwk, alg))
}

type Client = { id: string; redirectUri: string }

/** Creates an application through which users can administer the tenant. */
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

/** Creates a user who administers the tenant, with an access token from a sign-in. */
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

describe('the management API', () => {
  it('accepts an application’s token', async () => {
    const response = await operator.get('/users')
    expect(response.status).toBe(200)
    expect(response.headers.has('www-authenticate')).toBe(false)
  })

  it('accepts tokens signed with either algorithm', async () => {
    expect((await asOperator(app, await signToken({})).get('/users')).status).toBe(200)
    expect((await asOperator(app, await signToken({}, { alg: 'ES384' })).get('/users')).status).toBe(200)
  })

  const metadata =
    'resource_metadata="http://localhost:8787/.well-known/oauth-protected-resource/api", scope="users:read all"'
  const missing = `Bearer ${metadata}`
  const invalid = `Bearer error="invalid_token", ${metadata}`
  it.each([
    { header: undefined, code: 'auth.authorization_header_missing', challenge: missing },
    { header: 'Basic bWU6bWU=', code: 'auth.authorization_token_type_not_supported', challenge: missing },
    { header: 'DPoP abc', code: 'auth.unauthorized', challenge: invalid.replace('Bearer', 'DPoP') },
    { header: 'Bearer', code: 'auth.unauthorized', challenge: invalid },
    { header: 'Bearer not.a.token', code: 'auth.unauthorized', challenge: invalid },
  ])('rejects the Authorization header $header', async ({ header, code, challenge }) => {
    const response = await app.fetch(
      '/api/users',
      header === undefined ? {} : { headers: { authorization: header } },
    )
    expect(await codeOf(response)).toEqual([401, code])
    expect(response.headers.get('www-authenticate')).toBe(challenge)
  })

  it('lists the supported authentication schemes if an unsupported one is used', async () => {
    const response = await app.fetch('/api/users', { headers: { authorization: 'Digest x' } })
    expect(await response.json()).toMatchObject({ data: { supportedTypes: ['Bearer', 'DPoP'] } })
  })

  it.each([
    { what: 'from another issuer', claims: { iss: 'http://localhost:9999/oidc' } },
    { what: 'for another audience', claims: { aud: 'urn:other' } },
    { what: 'that has expired', claims: { exp: 1_000_000_000 } },
    { what: 'that never expires', claims: { exp: undefined } },
    { what: 'without a client', claims: { client_id: undefined } },
    { what: 'that is bound to a key', claims: { cnf: { jkt: 'abc' } } },
    { what: 'of a deleted application', claims: { sub: 'gone', client_id: 'gone' } },
    { what: 'of a deleted user', claims: { sub: 'unknown' } },
  ])('[RFC9700-2.3-5] rejects a token $what', async ({ claims }) => {
    const response = await asOperator(app, await signToken(claims)).get('/users')
    expect(await codeOf(response)).toEqual([401, 'auth.unauthorized'])
  })

  it('[RFC9700-4.9.1-2] rejects an ID token', async () => {
    expect(await codeOf(await asOperator(app, await signToken({}, { typ: 'JWT' })).get('/users'))).toEqual([
      401,
      'auth.unauthorized',
    ])
  })

  it('[ASVS-9.1.1] rejects a tampered token', async () => {
    const [header, , signature] = operator.token.split('.')
    const claims = Buffer.from(JSON.stringify({ sub: 'management', scope: 'all' })).toString('base64url')
    const response = await asOperator(app, [header, claims, signature].join('.')).get('/users')
    expect(await codeOf(response)).toEqual([401, 'auth.unauthorized'])
  })

  it('rejects a token without a subject', async () => {
    const response = await asOperator(app, await signToken({ sub: undefined })).get('/users')
    expect(await codeOf(response)).toEqual([401, 'auth.jwt_sub_missing'])
  })

  it.each([{ scope: undefined }, { scope: 'al' }, { scope: 'everything' }])(
    '[ASVS-8.2.1] rejects a token with only the scope $scope',
    async (claims) => {
      const response = await asOperator(app, await signToken(claims)).get('/users')
      expect(await codeOf(response)).toEqual([403, 'auth.forbidden'])
      expect(response.headers.get('www-authenticate')).toContain('insufficient_scope')
    },
  )

  it('ignores a header that earlier development builds accepted', async () => {
    const response = await app.fetch('/api/users', { headers: { 'development-user-id': 'me' } })
    expect(await codeOf(response)).toEqual([401, 'auth.authorization_header_missing'])
  })

  it('authenticates the caller before reading the body', async () => {
    const response = await app.fetch('/api/users', { method: 'POST', body: 'x'.repeat(100_000) })
    expect(await codeOf(response)).toEqual([401, 'auth.authorization_header_missing'])
  })

  it('accepts an application with the administrator role until it loses the role or is deleted', async () => {
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

  it('accepts an administrator but does not let them delete their own account or sign-in methods', async () => {
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

  it('accepts a user only through an existing application that may use the management API', async () => {
    const client = await newConsole()
    const administrator = await newAdministrator(client)
    expect((await administrator.operator.get('/users')).status).toBe(200)

    const application = `/applications/${client.id}`
    await operator.send('PATCH', application, { customClientMetadata: { allowedBuiltInResources: null } })
    expect(await codeOf(await administrator.operator.get('/users'))).toEqual([403, 'auth.forbidden'])
    await operator.send('DELETE', application)
    expect(await codeOf(await administrator.operator.get('/users'))).toEqual([401, 'auth.unauthorized'])
  })

  it('rejects a token that was issued before its user was suspended, even after reinstatement', async () => {
    const administrator = await newAdministrator()
    await operator.send('PATCH', `/users/${administrator.id}/is-suspended`, { isSuspended: true })
    expect(await codeOf(await administrator.operator.get('/users'))).toEqual([401, 'auth.unauthorized'])
    await operator.send('PATCH', `/users/${administrator.id}/is-suspended`, { isSuspended: false })
    expect(await codeOf(await administrator.operator.get('/users'))).toEqual([401, 'auth.unauthorized'])
  })
})

describe('an invalid request to the management API', () => {
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
    { what: 'a body that is not an object', init: { body: '[]' }, status: 400 },
    { what: 'plain text', init: { body: '{}', headers: { 'content-type': 'text/plain' } }, status: 415 },
    {
      what: 'a form',
      init: { body: 'username=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      status: 415,
    },
    { what: 'more than 64 KiB', init: { body: JSON.stringify({ name: 'x'.repeat(70_000) }) }, status: 413 },
  ])('is rejected if it contains $what', async ({ init, status }) => {
    expect(await codeOf(await post(init))).toEqual([status, 'guard.invalid_input'])
  })

  it.each<{ what: string; field: string; value: unknown }>([
    { what: 'a name that begins with a digit', field: 'username', value: '1abc' },
    { what: 'a NUL character', field: 'username', value: 'a\0b' },
    { what: 'an empty name', field: 'username', value: '' },
    // This is a function, because a lone surrogate in the test data would make the test title malformed.
    { what: 'a lone surrogate', field: 'name', value: () => '\ud800' },
    { what: 'a name that is too long', field: 'name', value: 'x'.repeat(129) },
    { what: 'a number as a name', field: 'name', value: 7 },
    { what: 'an invalid e-mail address', field: 'primaryEmail', value: 'not-an-address' },
    { what: 'a phone number with a space', field: 'primaryPhone', value: '+49 17012345' },
    { what: 'a password that is too short', field: 'password', value: 'short' },
    { what: 'a password that is too long', field: 'password', value: 'x'.repeat(129) },
  ])(
    '[ASVS-2.2.1] is rejected with an error that names the field if it contains $what',
    async ({ field, value }) => {
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
    },
  )

  it('is rejected if its path contains a NUL character', async () => {
    expect(await codeOf(await operator.get('/users/a%00b'))).toEqual([400, 'guard.invalid_input'])
  })
})

describe('a list in the management API', () => {
  let created: string[]
  beforeAll(async () => {
    created = []
    for (let number = 0; number < 5; number++) {
      const response = await operator.send('POST', '/users', { name: `Listed ${number}` })
      created.unshift(((await response.json()) as { id: string }).id)
    }
  })

  const list = async (query: string) => {
    const response = await operator.get(`/users?${query}`)
    const links = Object.fromEntries(
      [...(response.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(
        ([, address, rel]) => [rel, new URL(address ?? '').search],
      ),
    )
    const users = (await response.json()) as { id: string; name: string | null }[]
    return { ids: users.map(({ id }) => id), total: response.headers.get('total-number'), links, response }
  }

  it('is paged, newest first, with links to the other pages', async () => {
    const query = 'search.name=Listed%25&page_size=2'
    const first = await list(query)
    const second = await list(`${query}&page=2`)
    const third = await list(`${query}&page=3`)
    expect([...first.ids, ...second.ids, ...third.ids]).toEqual(created)
    expect([first.total, second.total, third.total]).toEqual(['5', '5', '5'])

    const at = (page: number) => `?search.name=Listed%25&page_size=2&page=${page}`
    const parse = (search: string | undefined) => Object.fromEntries(new URLSearchParams(search))
    expect(Object.keys(first.links)).toEqual(['first', 'next', 'last'])
    expect(parse(first.links.next)).toEqual(parse(at(2)))
    expect(parse(first.links.last)).toEqual(parse(at(3)))
    expect(Object.keys(second.links)).toEqual(['first', 'prev', 'next', 'last'])
    expect(parse(second.links.prev)).toEqual(parse(at(1)))
    expect(Object.keys(third.links)).toEqual(['first', 'prev', 'last'])
    expect(first.response.headers.has('total-capped')).toBe(false)
  })

  it('has twenty entries per page by default and includes the total number', async () => {
    const { links, total, ids } = await list('')
    expect(ids.length).toBeLessThanOrEqual(20)
    expect(Number(total)).toBeGreaterThanOrEqual(5)
    expect(links.first).toContain('page_size=20')
  })

  it('is empty beyond the last page, with a link to the last page', async () => {
    const { ids, links } = await list('search.name=Listed%25&page=9&page_size=2')
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
  ])('cannot be requested with the query %s', async (query) => {
    for (const path of ['/users', '/applications']) {
      expect(await codeOf(await operator.get(`${path}?${query}`))).toEqual([400, 'guard.invalid_pagination'])
    }
  })

  it('reports a total of at most ten thousand if it is filtered', async () => {
    const { DB } = app.env
    const rows = 10_005
    await DB.prepare(
      `insert into users (tenant_id, id, name, created_at)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
       select 'default', 'many' || i, 'Many users', i from n`,
    ).run()
    const capped = await list('search.name=Many%20users&page_size=100&page=2')
    expect(capped.total).toBe('10000')
    expect(capped.response.headers.get('total-capped')).toBe('true')
    expect(Object.keys(capped.links)).toEqual(['first', 'prev', 'next'])
    expect(capped.ids.length).toBe(100)

    const all = await list('page_size=1')
    expect(Number(all.total)).toBeGreaterThan(rows)
    expect(all.response.headers.has('total-capped')).toBe(false)
    await DB.prepare("delete from users where name = 'Many users'").run()
  })
})

describe('a management API response', () => {
  it('has an ETag, and is a 304 if the caller already has the current version', async () => {
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

  it('has a request id, whether or not it is an error', async () => {
    const responses = [
      await operator.get('/users'),
      await app.fetch('/api/users'),
      await app.fetch('/api/nothing'),
    ]
    for (const { headers } of responses) expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  })

  it('contains errors in the request’s language', async () => {
    const messageIn = async (language: string) => {
      const response = await app.fetch('/api/users', { headers: { 'accept-language': language } })
      return ((await response.json()) as { message: string }).message
    }
    expect(await messageIn('de')).not.toBe(await messageIn('en'))
  })

  it('has status 503, without partial writes, if the database fails', async () => {
    const broken = openTestApp()
    const caller = asOperator(broken, operator.token)
    expect((await caller.get('/users')).status).toBe(200)
    broken.beforeEachTrip(() => {
      throw new Error('D1_ERROR: Network connection lost.')
    })
    const response = await caller.send('POST', '/users', { username: 'half_written' })
    expect(await codeOf(response)).toEqual([503, 'server.unavailable'])
    expect(response.headers.get('retry-after')).toBe('1')
    broken.beforeEachTrip(null)
    expect(await (await caller.get('/users?search.username=half_written&mode=exact')).json()).toEqual([])
  })
})

describe('a recent sign-in by the operator (spec/management#operator-proof)', () => {
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
  /** Returns the administrator with a token from a sign-in `age` seconds ago. */
  const withSignIn = async (age: number | undefined, acr?: string) =>
    asOperator(
      app,
      await signToken({
        sub: administrator,
        client_id: clientId,
        acr,
        auth_time: age === undefined ? undefined : Math.floor(Date.now() / 1000) - age,
      }),
    )

  it('[ASVS-8.2.1-19] is required to read the secrets of applications with administrative scopes', async () => {
    const machine = await newMachine(operator, 'admin-role')
    const plain = await newMachine(operator)
    const path = (id: string) => `/applications/${id}`
    const secretsFor = async (caller: Operator) => {
      const changes = [machine, plain].map(({ id }) => caller.send('PATCH', path(id), { name: 'Named' }))
      const lists = ['/applications', '/roles/admin-role/applications'].map((list) => caller.get(list))
      const entities = [machine, plain].map(({ id }) => caller.get(path(id)))
      const bodies = await Promise.all(
        [...changes, ...entities, ...lists].map(async (answer) => (await answer).text()),
      )
      return [machine, plain].map(({ secret }) => bodies.filter((body) => body.includes(secret)).length)
    }
    expect(await secretsFor(await withSignIn(HOUR_SECONDS + 60))).toEqual([0, 3])
    expect(await secretsFor(await withSignIn(60))).toEqual([4, 3])
    expect(await secretsFor(operator)).toEqual([4, 3])
  })

  it('includes the second factor if administrators need one, even if the operator has none yet', async () => {
    const needSecondFactor = (by: Operator, isNeeded: boolean) =>
      by.send('PATCH', '/configs/settings', { administratorsNeedSecondFactor: isNeeded })
    expect((await needSecondFactor(operator, true)).status).toBe(200)
    const refused = await needSecondFactor(await withSignIn(60), false)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('acr_values'),
    ])
    expect((await needSecondFactor(operator, false)).status).toBe(200)
  })

  it('[ASVS-8.2.1-10] is tested for every call that writes', () => {
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
  /** Returns the path of a call, with the id of an existing user. */
  const pathOf = (template: string) =>
    template.replace(/^\/users\/\{id\}/, () => `/users/${user}`).replaceAll(/\{\w+\}/g, 'none')
  const secretExport = { method: 'GET', template: '/users/export?withTotpSecrets=true', body: undefined }

  const calls = [...attempts('needs'), secretExport]
  const tooOld = pairsOf(env.TEST_SWEEP, calls, [undefined, HOUR_SECONDS + 60])
  it.each(
    calls.map((call) => ({ ...call, ages: tooOld.flatMap(([of, age]) => (of === call ? [age] : [])) })),
  )('[ASVS-8.2.1-11] is required for $method $template $body', async ({ method, template, body, ages }) => {
    for (const age of ages) {
      const challenged = await (await withSignIn(age)).send(method, pathOf(template), body)
      expect(await codeOf(challenged)).toEqual([401, 'auth.insufficient_user_authentication'])
      expect(challenged.headers.get('www-authenticate')).toBe(challenge())
    }
    const recent = await (await withSignIn(HOUR_SECONDS - 60)).send(method, pathOf(template), body)
    expect([200, 204, 404, 422]).toContain(recent.status)
  })

  it('[ASVS-8.2.1-12] is not required to read data, end access or change presentation', async () => {
    const caller = await withSignIn(HOUR_SECONDS + 60)
    expect((await caller.get('/users')).status).toBe(200)
    expect((await caller.get('/users/export')).status).toBe(200)
    for (const { method, template, body } of someOf(env.TEST_SWEEP, attempts('free'), 40)) {
      const answer = await caller.send(method, template.replaceAll(/\{\w+\}/g, 'none'), body)
      expect([200, 201, 204, 400, 404, 415, 422, 501], `${method} ${template}`).toContain(answer.status)
    }
    const responses = [
      await caller.send('PATCH', `/users/${user}`, { name: 'No credential' }),
      await caller.send('PATCH', `/users/${user}/is-suspended`, { isSuspended: true }),
      await caller.send('PATCH', `/applications/${clientId}`, { name: 'Console', description: null }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('[ASVS-8.2.1-13] is required to remove a second-factor policy from administrators', async () => {
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
      const challenged = await (await withSignIn(HOUR_SECONDS + 60)).send(method, path)
      expect(await codeOf(challenged)).toEqual([401, 'auth.insufficient_user_authentication'])
      expect((await (await withSignIn(HOUR_SECONDS - 60)).send(method, path)).status).toBe(204)
      if (path.includes(user)) await operator.send('POST', `/roles/${role}/users`, { userIds: [user] })
    }
    await operator.send('PUT', `/users/${user}/roles`, { roleIds: [] })
  })

  it('must use two factors if the operator has a second one', async () => {
    onTestFinished(async () => {
      await operator.send('DELETE', `/users/${administrator}/factors`)
    })
    await operator.send('PATCH', '/configs/settings', { secondFactor: { policy: 'optional' } })
    await app.env.DB.prepare(
      "insert into totp_factors (tenant_id, user_id, secret, last_step, created_at) values ('default', ?, 'sealed', 1, 1)",
    )
      .bind(administrator)
      .run()
    const setPassword = async (age: number, acr?: string) =>
      (await withSignIn(age, acr)).send('PATCH', `/users/${user}/password`, password)
    for (const challenged of [await setPassword(60), await setPassword(HOUR_SECONDS + 60, TWO_FACTORS)]) {
      expect(await codeOf(challenged)).toEqual([401, 'auth.insufficient_user_authentication'])
      expect(challenged.headers.get('www-authenticate')).toBe(challenge(twoFactors))
    }
    expect((await setPassword(60, TWO_FACTORS)).status).toBe(200)
  })
})
