import { beforeAll, describe, expect, it } from 'vitest'
import { auditEntries } from '../../kit/audit-entries.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let known: string
beforeAll(async () => {
  app = openTestApp()
  known = freshName()
  const client = newCookieClient(app)
  await registerAccount(client, await openSignInPage(client, await authorizationRequest()), known)
})

async function createInteraction() {
  const client = newCookieClient(app)
  const uid = await openSignInPage(client, await authorizationRequest())
  const headers = { Interaction: uid }
  return {
    client,
    uid,
    call: (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
      client.send(method, `/api/interaction${path}`, body, { ...headers, ...more }),
  }
}

const bodyOf = async (response: Response) =>
  (await response.json()) as { code: string; message: string; data?: unknown; details?: string }

describe('signing in with a username and password', () => {
  it('returns the URL of the application, with the code', async () => {
    const { call } = await createInteraction()
    const identifier = { username: known, password: PASSWORD }
    expect((await call('PUT', '', { event: 'SignIn', identifier })).status).toBe(204)
    const submitted = await call('POST', '/submit')
    expect(submitted.status).toBe(200)
    expect(await submitted.json()).toEqual({
      redirectTo: expect.stringMatching(`^${ORIGIN}/demo-app\\?code=[\\w-]+&state=[\\w-]+&iss=`),
    })
  })

  it.each([
    ['a wrong password', () => ({ username: known, password: 'wrong-horse-7' })],
    ['an unknown user', () => ({ username: freshName(), password: PASSWORD })],
  ])('returns the same error for %s', async (_, identifier) => {
    const { call } = await createInteraction()
    const response = await call('PUT', '', { event: 'SignIn', identifier: identifier() })
    expect(response.status).toBe(422)
    expect(await bodyOf(response)).toEqual({
      code: 'session.invalid_credentials',
      message: expect.stringMatching(/\w/),
    })
  })

  it('fails for a suspended user who enters the correct password', async () => {
    const name = freshName()
    const first = await createInteraction()
    await registerAccount(first.client, first.uid, name)
    await app.env.DB.prepare('update users set is_suspended = 1 where username = ?').bind(name).run()
    const { call } = await createInteraction()
    const response = await call('PUT', '', {
      event: 'SignIn',
      identifier: { username: name, password: PASSWORD },
    })
    expect([response.status, (await bodyOf(response)).code]).toEqual([401, 'user.suspended'])
  })

  it('works even if the sign-in was started without an identifier', async () => {
    const { call } = await createInteraction()
    await call('PUT', '', { event: 'SignIn' })
    expect((await call('PATCH', '/identifiers', { username: known, password: PASSWORD })).status).toBe(204)
    expect((await call('POST', '/submit')).status).toBe(200)
  })

  it('[ASVS-11.2.2-2] replaces a weak password hash with a current one', async () => {
    const name = freshName()
    const first = await createInteraction()
    await registerAccount(first.client, first.uid, name)
    // A hash of PASSWORD that was computed with hash-wasm in Node.js.
    const weak =
      '$argon2i$v=19$m=4096,t=3,p=1$BwcHBwcHBwcHBwcHBwcHBw$Svg840/05WEJ9FIvaXB31gqIssNx815u/+YorPfH3n8'
    const readHash = () =>
      app.env.DB.prepare('select password_encrypted as hash from users where username = ?')
        .bind(name)
        .first<{ hash: string }>()
    await app.env.DB.prepare(
      "update users set password_encrypted = ?, password_encryption_method = 'Argon2i' where username = ?",
    )
      .bind(weak, name)
      .run()
    const { client, uid } = await createInteraction()
    expect((await signIn(client, uid, name)).status).toBe(200)
    expect((await readHash())?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})

describe('registering with a username', () => {
  it('requires a password and then signs the user in', async () => {
    const { call } = await createInteraction()
    const username = freshName()
    expect((await call('PUT', '', { event: 'Register', profile: { username } })).status).toBe(204)
    const incomplete = await call('POST', '/submit')
    expect(incomplete.status).toBe(422)
    expect(await bodyOf(incomplete)).toMatchObject({
      code: 'user.missing_profile',
      data: { missingProfile: ['password'] },
    })
    expect((await call('PATCH', '/profile', { password: PASSWORD })).status).toBe(204)
    expect((await call('POST', '/submit')).status).toBe(200)
  })

  it('rejects a username that is taken', async () => {
    const { client, uid } = await createInteraction()
    const response = await registerAccount(client, uid, known)
    expect([response.status, (await bodyOf(response)).code]).toEqual([422, 'user.username_already_in_use'])
  })

  it('[ASVS-2.3.4] assigns a username to only one of six concurrent registrations', async () => {
    const username = freshName()
    const clients = await Promise.all(Array.from({ length: 6 }, () => createInteraction()))
    await Promise.all(
      clients.map(({ call }) =>
        call('PUT', '', { event: 'Register', profile: { username, password: PASSWORD } }),
      ),
    )
    const answers = await Promise.all(clients.map(({ call }) => call('POST', '/submit')))
    const outcomes = await Promise.all(
      answers.map(async (answer) => (answer.ok ? 'in' : (await bodyOf(answer)).code)),
    )
    expect(outcomes.filter((outcome) => outcome === 'in').length).toBe(1)
    expect(new Set(outcomes)).toEqual(new Set(['in', 'user.username_already_in_use']))
  })

  it('[ASVS-2.3.3] stores the user and the audit entries in one transaction', async () => {
    const username = freshName()
    const { client, uid } = await createInteraction()
    await registerAccount(client, uid, username)
    const entries = await auditEntries(app.env.DB, uid)
    expect(entries.map(({ key }) => key)).toEqual([
      'Interaction.Create',
      'Interaction.Register.Update',
      'Interaction.Register.Submit',
      'Interaction.End',
    ])
    const { payload } = entries[1] ?? {}
    expect(payload).toMatchObject({ profile: { username } })
    expect(JSON.stringify(entries)).not.toContain(PASSWORD)
  })
})

describe('an interaction’s state', () => {
  it.each(['/submit', '/identifiers', '/profile', '/event'] as const)(
    'does not exist for %s before PUT /interaction',
    async (path) => {
      const { call } = await createInteraction()
      const body = {
        '/submit': undefined,
        '/identifiers': { username: known, password: PASSWORD },
        '/profile': { username: 'someone' },
        '/event': { event: 'SignIn' },
      }[path]
      const method = { '/submit': 'POST', '/identifiers': 'PATCH', '/profile': 'PUT', '/event': 'PUT' }[path]
      const response = await call(method, path, body)
      expect([response.status, (await bodyOf(response)).code]).toEqual([
        404,
        'session.verification_session_not_found',
      ])
    },
  )

  it('is replaced by PUT /, kept by PUT /event and cleared of its profile by DELETE /profile', async () => {
    const { call } = await createInteraction()
    await call('PUT', '', { event: 'Register', profile: { username: freshName(), password: PASSWORD } })
    await call('PUT', '', { event: 'Register' })
    expect((await bodyOf(await call('POST', '/submit'))).data).toEqual({
      missingProfile: ['password', 'username'],
    })

    await call('PUT', '/profile', { username: freshName(), password: PASSWORD })
    expect((await call('DELETE', '/profile')).status).toBe(204)
    expect((await bodyOf(await call('POST', '/submit'))).data).toEqual({
      missingProfile: ['password', 'username'],
    })

    await call('PUT', '/profile', { username: known })
    await call('PUT', '/event', { event: 'SignIn' })
    expect((await bodyOf(await call('POST', '/submit'))).code).toBe('session.identifier_not_found')
  })

  it('cannot be changed to a password reset', async () => {
    const { call } = await createInteraction()
    await call('PUT', '', { event: 'SignIn' })
    const response = await call('PUT', '/event', { event: 'ForgotPassword' })
    expect([response.status, (await bodyOf(response)).code]).toEqual([404, 'session.interaction_not_found'])
  })

  it('is deleted when it is submitted, and cannot be restored by older cookies or a concurrent submission', async () => {
    const { client, uid, call } = await createInteraction()
    await call('PUT', '', { event: 'SignIn', identifier: { username: known, password: PASSWORD } })
    const oldCookies = new Map(client.cookies)
    const both = await Promise.all([call('POST', '/submit'), call('POST', '/submit')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])

    for (const [name, cookie] of oldCookies) client.cookies.set(name, cookie)
    for (const [method, path, body, status = 400] of [
      ['POST', '/submit', undefined, 409],
      ['PUT', '', { event: 'SignIn' }],
      ['PUT', '/event', { event: 'Register' }],
      ['PATCH', '/profile', { username: 'x_y' }],
      ['DELETE', '/profile', undefined],
      ['DELETE', '', undefined],
    ] as const) {
      const response = await client.send(method, `/api/interaction${path}`, body, { Interaction: uid })
      expect([path, response.status]).toEqual([path, status])
    }
  })

  it('is deleted by a cancellation, which redirects the user to the application with an error', async () => {
    const { client, call } = await createInteraction()
    const answer = await call('DELETE', '')
    expect(answer.status).toBe(200)
    const back = await resumeAuthorization(client, answer)
    expect(back.searchParams.get('error')).toBe('oidc.aborted')
    expect(back.searchParams.get('state')).toBeTruthy()
  })

  it('is separate for each tab, so two sign-ins in one browser can both be completed', async () => {
    const client = newCookieClient(app)
    const first = await authorizationRequest()
    const second = await authorizationRequest({ scope: 'openid' })
    const one = await openSignInPage(client, first)
    const two = await openSignInPage(client, second)
    expect(one).not.toBe(two)
    const submitted = await signIn(client, one, known)
    const other = await signIn(client, two, known)
    expect((await resumeAuthorization(client, submitted)).searchParams.get('state')).toBe(first.state)
    expect((await resumeAuthorization(client, other)).searchParams.get('state')).toBe(second.state)
  })

  it('is looked up by the provider’s cookie if no header names the interaction', async () => {
    const client = newCookieClient(app)
    await openSignInPage(client, await authorizationRequest())
    expect((await client.send('PUT', '/api/interaction', { event: 'SignIn' })).status).toBe(204)
  })

  it('is limited to eight cookies per browser', async () => {
    const client = newCookieClient(app)
    const uids: string[] = []
    for (let count = 0; count < 11; count++)
      uids.push(await openSignInPage(client, await authorizationRequest()))
    const interactionCookies = [...client.cookies.keys()].filter((name) =>
      uids.some((uid) => name === `_interaction_${uid}`),
    )
    expect(interactionCookies).toEqual(uids.slice(-8).map((uid) => `_interaction_${uid}`))
  })
})

describe('an interaction’s cookie', () => {
  const expectSessionNotFound = async (response: Response) => {
    expect(response.status).toBe(400)
    expect(await bodyOf(response)).toMatchObject({
      code: 'session.not_found',
      data: { error_description: expect.any(String) },
    })
  }

  it('[ASVS-1.5.2] is required, and rejected if it is forged or belongs to another interaction', async () => {
    await expectSessionNotFound(
      await newCookieClient(app).send('PUT', '/api/interaction', { event: 'SignIn' }),
    )

    const { client, uid, call } = await createInteraction()
    const other = await createInteraction()
    const name = `_interaction_${uid}`
    const original = client.cookies.get(name)
    for (const value of [
      'forged',
      `${original?.value.slice(0, -4)}AAAA`,
      other.client.cookies.get(`_interaction_${other.uid}`)?.value ?? '',
    ]) {
      client.cookies.set(name, { value, path: '/' })
      await expectSessionNotFound(await call('PUT', '', { event: 'SignIn' }))
    }
  })

  it('is rejected before the body is validated if the interaction was deleted', async () => {
    const { uid, call } = await createInteraction()
    expect((await call('PUT', '', { event: 'SignIn' })).status).toBe(204)
    await app.env.DB.prepare("delete from oidc_model_instances where model_name = 'Interaction' and id = ?")
      .bind(uid)
      .run()
    await expectSessionNotFound(await call('PUT', '', { event: 'SignIn' }))
    await expectSessionNotFound(await call('PUT', '', { event: 'Nonsense' }))
  })

  it('is read even if other parts of the Cookie header are invalid', async () => {
    const { client, uid } = await createInteraction()
    client.cookies.set('path', { value: '/; expires=Thu, 01 Jan 2099', path: '/' })
    const response = await client.send('PUT', '/api/interaction', { event: 'SignIn' }, { Interaction: uid })
    expect(response.status).toBe(204)
  })
})

describe('a request to the interaction API', () => {
  it.each([
    ['an unknown event', { event: 'Nonsense' }],
    ['no event', {}],
    ['a body that is not an object', 'text'],
    ['a NUL character in a name', { event: 'SignIn', identifier: { username: 'a\0b', password: PASSWORD } }],
    ['a lone surrogate', { event: 'SignIn', identifier: { username: 'a\ud800', password: PASSWORD } }],
    [
      'a name that is too long to store',
      { event: 'SignIn', identifier: { username: 'a'.repeat(129), password: PASSWORD } },
    ],
    [
      'a password that is too long to hash',
      { event: 'SignIn', identifier: { username: 'a', password: 'a'.repeat(257) } },
    ],
    ['a name that begins with a digit', { event: 'Register', profile: { username: '1abc' } }],
    ['a weak password', { event: 'Register', profile: { username: 'abc', password: 'aaaaaaa' } }],
  ])('[ASVS-2.2.1-2] is rejected with a list of issues if it contains %s', async (_, body) => {
    const { call } = await createInteraction()
    const response = await call('PUT', '', body)
    expect(response.status).toBe(400)
    expect(await bodyOf(response)).toMatchObject({
      code: 'guard.invalid_input',
      data: { name: 'ZodError', issues: expect.any(Array) },
      details: expect.any(String),
    })
  })

  it('may contain unknown keys, which are ignored', async () => {
    const { call } = await createInteraction()
    expect((await call('PUT', '', { event: 'SignIn', admin: true })).status).toBe(204)
  })

  it.each([
    ['malformed JSON', '{"event":', 'application/json', 400],
    ['text', 'event=SignIn', 'text/plain', 415],
    ['a form', 'event=SignIn', 'application/x-www-form-urlencoded', 415],
    [
      'more than 64 KiB',
      JSON.stringify({ event: 'SignIn', pad: 'x'.repeat(70_000) }),
      'application/json',
      413,
    ],
  ])('is rejected if its body is %s', async (_, body, type, status) => {
    const { client, uid } = await createInteraction()
    const cookie = client.cookieHeader('/api/interaction')
    const response = await app.fetch('/api/interaction', {
      method: 'PUT',
      body,
      headers: { 'content-type': type, cookie, Interaction: uid },
    })
    expect([response.status, (await bodyOf(response)).code]).toEqual([status, 'guard.invalid_input'])
  })

  it.each([
    [{ origin: 'https://evil.example' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, 204],
    [{ origin: ORIGIN, 'sec-fetch-site': 'same-origin' }, 204],
  ])('with the headers %o gets the status %i', async (headers, status) => {
    const { call } = await createInteraction()
    expect((await call('PUT', '', { event: 'SignIn' }, headers as Record<string, string>)).status).toBe(
      status,
    )
  })

  it('gets errors in the requested language, with a request id', async () => {
    const { call } = await createInteraction()
    const german = await call('PUT', '', { event: 'X' }, { 'accept-language': 'de-AT,de;q=0.9' })
    const english = await call('PUT', '', { event: 'X' }, { 'accept-language': 'tlh' })
    expect((await bodyOf(german)).message).not.toBe((await bodyOf(english)).message)
    expect(german.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  })
})

describe('tenant settings', () => {
  const withExperience = async (column: string, value: unknown, run: () => Promise<void>) => {
    const before = await app.env.DB.prepare(`select ${column} as value from sign_in_experiences`).first<{
      value: string
    }>()
    const set = (next: unknown) =>
      app.env.DB.prepare(`update sign_in_experiences set ${column} = ?`)
        .bind(typeof next === 'string' ? next : JSON.stringify(next))
        .run()
    await set(value)
    try {
      await run()
    } finally {
      await set(before?.value)
      const { call } = await createInteraction()
      await call('PUT', '?no_cache', { event: 'SignIn' })
    }
  }

  it('can disable registration', () =>
    withExperience('sign_in_mode', 'SignIn', async () => {
      const { call } = await createInteraction()
      const response = await call('PUT', '?no_cache', { event: 'Register' })
      expect([response.status, (await bodyOf(response)).code]).toEqual([403, 'auth.forbidden'])
    }))

  it('can restrict which identifiers are accepted', async () => {
    const { call } = await createInteraction()
    const email = { email: 'a@b.example', password: PASSWORD }
    const response = await call('PUT', '', { event: 'SignIn', identifier: email })
    expect([response.status, (await bodyOf(response)).code]).toEqual([422, 'user.sign_in_method_not_enabled'])
    const profile = await call('PUT', '', { event: 'Register', profile: { email: 'a@b.example' } })
    expect([profile.status, (await bodyOf(profile)).code]).toEqual([422, 'user.sign_in_method_not_enabled'])
  })
})

describe('a storage failure', () => {
  it('[ASVS-16.5.2] results in status 503 without partial writes if it happens during a call', async () => {
    const broken = openTestApp()
    const client = newCookieClient(broken)
    const username = freshName()
    const uid = await openSignInPage(client, await authorizationRequest())
    const headers = { Interaction: uid }
    const profile = { username, password: PASSWORD }
    await client.send('PUT', '/api/interaction', { event: 'Register', profile }, headers)

    // The first round trip reads, and the second one writes and is retried once (ADR-0049). One run fails from the
    // first round trip on, and the other from the second.
    for (const failing of [1, 2]) {
      let trip = 0
      broken.beforeEachTrip(() => {
        trip++
        if (trip >= failing) throw new Error('D1_ERROR: Network connection lost.')
      })
      const response = await client.send('POST', '/api/interaction/submit', undefined, headers)
      broken.beforeEachTrip(null)
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
      expect((await bodyOf(response)).code).toBe('server.unavailable')
      const users = await app.env.DB.prepare('select 1 from users where username = ?').bind(username).all()
      expect(users.results).toEqual([])
    }
    expect((await client.send('POST', '/api/interaction/submit', undefined, headers)).status).toBe(200)
  })

  it('[ASVS-16.5.3] results in status 503 without new cookies if it happens in the provider', async () => {
    const broken = openTestApp()
    const client = newCookieClient(broken)
    await resumeAuthorization(
      client,
      await registerAccount(client, await openSignInPage(client, await authorizationRequest()), freshName()),
    )
    broken.beforeEachTrip(() => {
      throw new Error('D1_ERROR: Network connection lost.')
    })
    const response = await client.get((await authorizationRequest()).url, {
      accept: 'application/json',
    })
    expect(response.status).toBe(503)
    expect(response.headers.getSetCookie()).toEqual([])
    expect((await bodyOf(response)).code).toBe('server.unavailable')
  })

  it('results in status 503 if it happens during a write to KV', async () => {
    const INTERACTIONS = new Proxy(app.env.INTERACTIONS, {
      get: (target, property) =>
        property === 'put'
          ? () => Promise.reject(new Error('KV PUT failed: 429 Too Many Requests'))
          : Reflect.get(target, property),
    })
    const client = newCookieClient(openTestApp({ INTERACTIONS }))
    const uid = await openSignInPage(client, await authorizationRequest())
    const response = await client.send('PUT', '/api/interaction', { event: 'SignIn' }, { Interaction: uid })
    expect([response.status, (await bodyOf(response)).code]).toEqual([503, 'server.unavailable'])
  })
})
