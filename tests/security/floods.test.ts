import { describe, expect, it } from 'vitest'
import { exceedsLimit } from '../../src/application/network-limit.ts'
import { auditEntries } from '../kit/audit-entries.ts'
import { authorizationRequest, freshName, newCookieClient, ORIGIN } from '../kit/clients/cookie-client.ts'
import { beginInteraction } from '../kit/clients/interaction-client.ts'
import { newOperator } from '../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/** A text of the maximum length that the runtime accepts in a header. */
const HUGE = 'x'.repeat(60_000)

describe('text in an unauthenticated request', async () => {
  const app = openTestApp()
  const { DB } = app.env

  it('is stored with at most 256 characters in a row of at most 2,048 bytes', async () => {
    await newCookieClient(app).get(
      (await authorizationRequest({ scope: `openid ${HUGE.slice(0, 3_500)}` })).url,
      {
        'user-agent': HUGE,
      },
    )
    const { call } = await beginInteraction(app)
    const headers = { 'user-agent': HUGE, 'cf-connecting-ip': '203.0.113.9' }
    const profile = { username: freshName(), password: 'correct-horse-7' }
    expect((await call('PUT', '', { event: 'Register', profile }, headers)).status).toBe(204)
    const identifier = { username: freshName(), password: 'wrong-horse-7' }
    expect((await call('PUT', '', { event: 'SignIn', identifier }, headers)).status).toBe(422)
    await app.fetch('/oidc/token', {
      method: 'POST',
      headers,
      body: new URLSearchParams({ grant_type: 'authorization_code', client_id: 'demo-app', code: HUGE }),
    })

    const { results } = await DB.prepare(
      'select length(cast(payload as blob)) as bytes, payload from logs',
    ).all<{
      bytes: number
      payload: string
    }>()
    expect(results.length).toBeGreaterThan(0)
    expect(Math.max(...results.map(({ bytes }) => bytes))).toBeLessThanOrEqual(2_048)
    const userAgents = results.flatMap(({ payload }) => JSON.parse(payload).userAgent ?? [])
    expect(userAgents).toContain(`${'x'.repeat(255)}…`)
  })

  it('is truncated to the same length in a hook’s delivery', async () => {
    await DB.prepare(
      "insert into hooks (tenant_id, id, event, config, secret, created_at) values ('default', 'flood', 'PostRegister', ?, 's', 1)",
    )
      .bind(JSON.stringify({ url: 'https://receiver.example', retries: 0 }))
      .run()
    const { call } = await beginInteraction(app)
    const profile = { username: freshName(), password: 'correct-horse-7' }
    await call('PUT', '', { event: 'Register', profile })
    expect((await call('POST', '/submit', undefined, { 'user-agent': HUGE })).status).toBe(200)
    const { results } = await DB.prepare(
      "select payload ->> 'userAgent' as agent from outbox where hook_id = 'flood'",
    ).all()
    expect(results).toEqual([{ agent: `${'x'.repeat(255)}…` }])
    await DB.prepare("delete from hooks where id = 'flood'").run()
  })
})

describe('rejected requests from unauthenticated clients', async () => {
  const app = openTestApp()
  const { DB } = app.env
  const operator = await newOperator(app)

  const post = (path: string, body: Record<string, string>) =>
    app.fetch(path, { method: 'POST', body: new URLSearchParams(body) })
  const rows = async (table: string) =>
    (await DB.prepare(`select count(*) as n from ${table}`).first<number>('n')) ?? 0

  it('are counted per application, endpoint, error and hour, without audit rows', async () => {
    await DB.prepare('delete from failed_requests').run()
    const audited = await rows('logs')
    const code = {
      grant_type: 'authorization_code',
      client_id: 'demo-app',
      code: 'guessed',
      code_verifier: 'x'.repeat(43),
    }
    const { url } = await authorizationRequest({ redirect_uri: 'https://evil.example' })
    for (let n = 0; n < 3; n++) {
      await post('/oidc/token', { ...code, code: `guess-${n}`, redirect_uri: `${ORIGIN}/demo-app` })
      await post('/oidc/token', {
        grant_type: 'client_credentials',
        client_id: 'management',
        client_secret: 'no',
      })
      await post('/oidc/token', { ...code, client_id: `made-up-${n}` })
      await post('/oidc/request', { client_id: `made-up-${n}`, response_type: 'code' })
      await app.fetch(`/oidc/auth?client_id=made-up-${n}&response_type=code`)
      await app.fetch(url)
    }
    // Applications routinely make this request.
    await app.fetch((await authorizationRequest({ prompt: 'none' })).url)

    expect(await rows('logs')).toBe(audited)
    const answer = await operator.get('/failed-requests')
    const counted: unknown = await answer.json()
    const hour = expect.any(Number)
    expect(counted).toEqual(
      [
        { applicationId: null, endpoint: 'authorization', error: 'invalid_client' },
        { applicationId: null, endpoint: 'pushed_authorization_request', error: 'invalid_client' },
        { applicationId: null, endpoint: 'token', error: 'invalid_client' },
        { applicationId: 'demo-app', endpoint: 'authorization', error: 'invalid_redirect_uri' },
        { applicationId: 'demo-app', endpoint: 'token', error: 'invalid_grant' },
        { applicationId: 'management', endpoint: 'token', error: 'invalid_client' },
      ].map((row) => ({ hour, count: 3, ...row })),
    )
    expect(answer.headers.get('total-number')).toBe('6')
    const unknown = await operator.get('/failed-requests?applicationId=&endpoint=token&error=invalid_client')
    expect(await unknown.json()).toMatchObject([{ applicationId: null, count: 3 }])
  })
})

/** Opens an app whose rate limit bindings allow two requests. */
const limited = () => {
  const seen: string[] = []
  const binding = {
    async limit({ key }: { key: string }) {
      seen.push(key)
      return { success: seen.filter((each) => each === key).length <= 2 }
    },
  }
  const app = openTestApp({
    AUTHORIZATION_RATE_LIMIT: binding,
    PUSHED_REQUEST_RATE_LIMIT: binding,
    TOKEN_RATE_LIMIT: binding,
  })
  return { app, seen }
}

describe('a network over the platform’s rate limit', () => {
  const from = (ip: string, accept = '*/*') => ({ headers: { 'cf-connecting-ip': ip, accept } })

  it('gets an error page for a sign-out, with a separate counter', async () => {
    const { app, seen } = limited()
    const statuses: number[] = []
    for (let times = 0; times < 3; times++)
      statuses.push((await app.fetch('/oidc/session/end', from('2001:db8:1:9::1', 'text/html'))).status)
    expect(statuses).toEqual([200, 200, 429])
    expect(seen.filter((key) => key.endsWith('/64'))).toEqual(Array(3).fill('session 2001:db8:1:9::/64'))
    const { results } = await app.env.DB.prepare(
      "select expires_at as at from oidc_model_instances where model_name = 'Session' and account_id is null",
    ).all<{ at: number }>()
    // A session without a user expires in ten minutes.
    expect(results.length).toBeGreaterThan(1)
    for (const { at } of results) expect(at).toBeLessThan(Date.now() + 11 * 60_000)
  })

  it('[ASVS-2.4.1-9] gets an error page when beginning, resuming or restarting an interaction', async () => {
    const { url } = await authorizationRequest()
    for (const path of [url, '/oidc/auth/some-uid', '/restart?interaction=some-uid']) {
      const { app, seen } = limited()
      const ask = (ip: string) => app.fetch(path, from(ip, 'text/html'))
      const passed = [await ask('2001:db8:1:2::1'), await ask('2001:db8:1:2::2')]
      expect(passed.map(({ status }) => status)).not.toContain(429)
      const refused = await ask('2001:db8:1:2:3::4')
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
      expect(refused.headers.get('content-type')).toContain('text/html')
      expect((await ask('2001:db8:3:2::1')).status).not.toBe(429)
      const networks = seen.filter((key) => key.endsWith('/64'))
      expect(new Set(networks)).toEqual(new Set(['2001:db8:1:2::/64', '2001:db8:3:2::/64']))
    }
  })

  it('[ASVS-2.4.1-15] is limited together with its /48, to sixteen times the limit of one /64', async () => {
    const limit = 20
    const counts = new Map<string, number>()
    const binding = {
      async limit({ key }: { key: string }) {
        const count = (counts.get(key) ?? 0) + 1
        counts.set(key, count)
        return { success: count <= limit }
      },
    }
    const passed = async (addresses: string[]) => {
      const answers: boolean[] = []
      for (const ip of addresses) answers.push(await exceedsLimit(binding, ip, 'any '))
      return answers.filter((isAbove) => !isAbove).length
    }
    // With a probability of 10^-24, the first twenty requests and the next one all use the same one of the
    // sixteen counters.
    expect(await passed(Array(1_000).fill('2001:db8:7:1::1'))).toBe(limit)
    expect(await passed(['2001:db8:7:2::1'])).toBe(1)
    const others = Array.from({ length: 4_000 }, (_, n) => `2001:db8:7:${(n + 16).toString(16)}::1`)
    expect(await passed(others)).toBe(16 * limit - limit - 1)
    expect(await passed(['2001:db8:8:1::1', '203.0.113.2'])).toBe(2)
    expect(await passed(Array(1_000).fill('203.0.113.2'))).toBe(limit - 1)
  })

  it('gets an error page for a device code, with a separate counter', async () => {
    const { app, seen } = limited()
    const statuses: number[] = []
    for (let times = 0; times < 3; times++)
      statuses.push((await app.fetch('/oidc/device', from('203.0.113.11', 'text/html'))).status)
    expect([statuses.slice(0, 2).includes(429), statuses[2]]).toEqual([false, 429])
    expect(new Set(seen)).toEqual(new Set(['device-page 203.0.113.11']))
  })

  it('gets an error from the interaction API, with a separate counter', async () => {
    const { app, seen } = limited()
    const put = () => app.fetch('/api/interaction', { method: 'PUT', ...from('203.0.113.9') })
    expect([(await put()).status, (await put()).status]).not.toContain(429)
    const refused = await put()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect(await refused.json()).toMatchObject({ code: 'request.too_many_requests' })
    expect(new Set(seen)).toEqual(new Set(['interaction 203.0.113.9']))
  })

  it('[ASVS-2.4.1-17] gets settings only from the cache', async () => {
    const { app, seen } = limited()
    const read = (query: string, headers = {}) =>
      app.fetch(`/api/.well-known/${query}`, { headers: { ...from('203.0.113.7').headers, ...headers } })
    expect([(await read('phrases?no_cache')).status, (await read('sign-in-exp?no_cache=')).status]).toEqual([
      200, 200,
    ])
    for (const refused of [
      await read('phrases?no_cache'),
      await read('sign-in-exp', { 'cache-control': 'no-store' }),
    ]) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
      expect(await refused.json()).toMatchObject({ code: 'request.too_many_requests' })
    }
    expect([(await read('phrases')).status, (await read('sign-in-exp')).status]).toEqual([200, 200])
    expect(new Set(seen)).toEqual(new Set(['fresh 203.0.113.7']))
  })

  it.each(['*/*', 'text/html'])('[ASVS-2.4.1-19] cannot bypass the cache: %s', async (accept) => {
    const { app } = limited()
    const ask = (path: string) => app.fetch(path, from('203.0.113.6', accept))
    await ask('/unknown-session')
    app.trips()
    for (let n = 0; n < 2; n++) await ask('/unknown-session?no_cache')
    expect(app.trips().awaited).toBeGreaterThan(0)

    const paths = ['/api/.well-known/phrases', '/sign-in', '/unknown-session', '/no-such-page']
    const statuses: number[] = []
    for (const path of paths) statuses.push((await ask(`${path}?no_cache`)).status)
    expect(app.trips()).toEqual({ awaited: 0, afterwards: 0 })
    expect(statuses.slice(0, 3)).toEqual([429, 302, 400])
  })

  const protocolCalls = ['', '/introspection', '/revocation'].map((path) => `/oidc/token${path}`)
  it.each([
    ...protocolCalls,
    '/oidc/request',
    '/oidc/device/auth',
    '/oidc/me',
    '/oidc/register',
    '/oidc/register/some-id',
  ])('[ASVS-2.4.1-12] gets an RFC 6749 error at %s', async (path) => {
    const { app } = limited()
    const post = () =>
      app.fetch(path, {
        method: 'POST',
        ...from('203.0.113.8'),
        body: new URLSearchParams({ client_id: 'x' }),
      })
    expect([400, 401, 404]).toContain((await post()).status)
    expect([400, 401, 404]).toContain((await post()).status)
    const refused = await post()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' })
  })

  it('[ASVS-2.4.1-13] gets an error from the account API that pages from any origin can read', async () => {
    const { app, seen } = limited()
    const { headers } = from('203.0.113.5')
    const ask = (method = 'GET') =>
      app.fetch('/api/me', { method, headers: { ...headers, origin: 'https://app.example' } })
    expect([(await ask()).status, (await ask('PATCH')).status]).toEqual([401, 401])
    expect((await ask('OPTIONS')).status).toBe(200)
    app.trips()
    const refused = await ask()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(await refused.json()).toMatchObject({ code: 'request.too_many_requests' })
    expect(app.trips().awaited).toBe(0)
    expect(seen).toEqual(Array(3).fill('account 203.0.113.5'))
  })

  it('[ASVS-2.4.1-14] gets an error from the management and services APIs before any query', async () => {
    const { app, seen } = limited()
    const { headers } = from('203.0.113.11')
    const ask = (path: string) =>
      app.fetch(path, { method: 'POST', headers: { ...headers, authorization: 'Bearer made-up' } })
    expect([(await ask('/api/users')).status, (await ask('/api/tenants')).status]).toEqual([401, 401])
    app.trips()
    for (const path of ['/api/roles', '/api/services/send-email', '/api/user-assets']) {
      const refused = await ask(path)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
      expect(await refused.json()).toMatchObject({ code: 'request.too_many_requests' })
    }
    expect(app.trips()).toEqual({ awaited: 0, afterwards: 0 })
    expect(seen).toEqual(Array(5).fill('management 203.0.113.11'))
  })

  it('[ASVS-2.4.1-16] gets an error page in the account centre', async () => {
    const { app, seen } = limited()
    const { headers } = from('203.0.113.4', 'text/html')
    const ask = (method: string) => app.fetch('/account/profile', { method, headers })
    expect([(await ask('POST')).status, (await ask('POST')).status]).not.toContain(429)
    const refused = await ask('POST')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect(refused.headers.get('content-type')).toContain('text/html')
    expect((await ask('GET')).status).toBe(429)
    expect(new Set(seen)).toContain('account 203.0.113.4')
  })

  it('[ASVS-2.4.1-18] cannot use up an isolate’s tenant lookups with made-up hosts', async () => {
    const { app, seen } = limited()
    const { headers } = from('203.0.113.3')
    const ask = (label: string) => app.fetch(`http://${label}.localhost:8787/api/status`, { headers })
    expect([(await ask('made-up-1')).status, (await ask('made-up-2')).status]).toEqual([404, 404])
    app.trips()
    const refused = await ask('made-up-3')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect(app.trips().awaited).toBe(0)
    expect(new Set(seen)).toEqual(new Set(['host 203.0.113.3']))
    expect((await app.fetch('/api/status', { headers })).status).toBe(204)
  })

  it('is limited only if the deployment has the rate limit binding', async () => {
    const { AUTHORIZATION_RATE_LIMIT: bound } = openTestApp().env
    expect(await bound?.limit({ key: 'a network' })).toEqual({ success: true })
    const open = openTestApp({ AUTHORIZATION_RATE_LIMIT: undefined, TOKEN_RATE_LIMIT: undefined })
    expect((await open.fetch((await authorizationRequest()).url, from('203.0.113.8'))).status).toBe(303)
  })
})

describe('an error page', () => {
  it.each([
    ['/oidc/auth?client_id=none&', 400],
    ['/oidc/none?', 404],
    ['/account/undo?', 404],
    ['/no-such-page?', 404],
    ['/consent/no-such-page?', 404],
  ] as const)('[ASVS-2.4.1-20] never bypasses the cache: %s', async (path, status) => {
    const { app, seen } = limited()
    const ask = (query = '', headers = {}) =>
      app.fetch(path + query, {
        headers: { 'cf-connecting-ip': '203.0.113.5', accept: 'text/html', ...headers },
      })
    await ask()
    app.trips()
    const answer = await ask('no_cache', { 'cache-control': 'no-cache' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
    expect(app.trips().awaited).toBe(0)
    expect(seen).not.toContain('fresh 203.0.113.5')
  })
})

describe('a request from a browser', () => {
  const app = openTestApp()
  const padded = async (bytes: number) => {
    const { url } = await authorizationRequest({ state: '' })
    const [, query = ''] = url.split('?')
    return query.replace('state=', `state=${'x'.repeat(bytes - query.length)}`)
  }
  const post = (path: string, body: string) =>
    app.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
      redirect: 'manual',
    })

  it('[ASVS-2.4.1-11] can contain at most 4 KiB when it begins an interaction, and 8 KiB when it signs out', async () => {
    const [fits, exceeds] = [await padded(4_096), await padded(4_097)]
    expect((await app.fetch(`/oidc/auth?${fits}`)).status).toBe(303)
    expect((await post('/oidc/auth', fits)).status).toBe(303)
    expect((await app.fetch(`/oidc/session/end?state=${'x'.repeat(8_000)}`)).status).toBe(200)
    app.trips()
    const long = `state=${'x'.repeat(8_200)}`
    const refused = [
      await app.fetch(`/oidc/auth?${exceeds}`),
      await post('/oidc/auth', exceeds),
      await app.fetch(`/oidc/session/end?${long}`),
      await post('/oidc/session/end', long),
      // Each character takes three bytes in a query string.
      await post('/oidc/auth', `state=${'~ü'.repeat(1_000)}`),
    ]
    for (const answer of refused) {
      expect(answer.status).toBe(413)
      expect(await answer.json()).toMatchObject({ code: 'guard.invalid_input' })
    }
    expect(app.trips()).toEqual({ awaited: 0, afterwards: 0 })

    const page = await app.fetch(`/oidc/auth?${exceeds}`, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([
      413,
      expect.stringContaining('text/html'),
    ])
  })
})

describe('a pushed request', () => {
  const push = async (app: TestApp, more: Record<string, string> = {}, ip = '203.0.113.8') => {
    const { url } = await authorizationRequest(more)
    const body = new URLSearchParams(url.slice(url.indexOf('?') + 1))
    return app.fetch('/oidc/request', { method: 'POST', headers: { 'cf-connecting-ip': ip }, body })
  }

  it('is limited to 4 KiB, is stored in at most 6 kB, and expires after a minute', async () => {
    const app = openTestApp()
    const refused = await push(app, { state: 'x'.repeat(4_000) })
    expect([refused.status, await refused.json()]).toMatchObject([413, { error: 'invalid_request' }])

    for (let n = 0; n < 3; n++) expect((await push(app, { state: 'x'.repeat(3_500) })).status).toBe(201)
    const { results } = await app.env.DB.prepare(
      "select length(payload) as bytes, expires_at as expires from oidc_model_instances where model_name = 'PushedAuthorizationRequest'",
    ).all<{ bytes: number; expires: number }>()
    expect(results.length).toBe(3)
    expect(Math.max(...results.map(({ bytes }) => bytes))).toBeLessThanOrEqual(6_144)
    expect(Math.max(...results.map(({ expires }) => expires))).toBeLessThanOrEqual(Date.now() + 60_000)
  })

  it('is rate-limited by client and network', async () => {
    const { app, seen } = limited()
    expect([(await push(app)).status, (await push(app)).status]).toEqual([201, 201])
    const other = { client_id: 'management' }
    expect((await push(app)).status).toBe(429)
    expect((await push(app, other)).status).toBe(429)
    expect((await push(app, other, '203.0.113.9')).status).not.toBe(429)
    const networks = ['pushed 203.0.113.8', 'pushed 203.0.113.9']
    const clients = ['demo-app 203.0.113.8', 'management 203.0.113.9']
    expect(new Set(seen)).toEqual(new Set([...networks, ...clients]))
  })
})

describe('an interaction’s audit rows', async () => {
  const app = openTestApp()
  const { DB } = app.env
  const operator = await newOperator(app)

  const ROUNDS = 5

  it('are grouped by key and outcome, with a count, once the user has authenticated', async () => {
    const account = { username: freshName(), password: 'correct-horse-7' }
    const registration = await beginInteraction(app)
    await registration.start('Register', { profile: account })
    expect((await registration.submit()).status).toBe(200)
    const { call, start, submit, uid } = await beginInteraction(app)
    const headers = { 'user-agent': HUGE }
    const round = async (n: number) => {
      await call('PUT', '/event', { event: 'SignIn' }, headers)
      await call('PUT', '/event', { event: 'Register' }, headers)
      await call('PUT', '/profile', { username: freshName() }, headers)
      await call('PATCH', '/identifiers', { email: `${n}@example.com`, verificationCode: '000000' }, headers)
      await call('PATCH', '/identifiers', { connectorId: 'unknown', connectorData: {} }, headers)
      await call('DELETE', '/profile', undefined, headers)
      await submit()
    }
    const audited = async () =>
      (
        await DB.prepare(
          `select key, coalesce(payload ->> '$.error.code', payload ->> '$.result') as outcome,
            coalesce(payload ->> '$.count', 1) as count, length(payload) as bytes
          from logs where created_at >= ? order by key, outcome`,
        )
          .bind(began)
          .all<{ key: string; outcome: string; count: number; bytes: number }>()
      ).results
    expect((await start('SignIn', { identifier: account })).status).toBe(204)
    await call('PUT', '/event', { event: 'Register' }, headers)
    const began = Date.now()
    await round(0)
    const first = await audited()
    expect(first.length).toBeGreaterThan(2)
    for (let n = 1; n < ROUNDS; n++) await round(n)

    const last = await audited()
    expect(last.map(({ key, outcome }) => [key, outcome])).toEqual(
      first.map(({ key, outcome }) => [key, outcome]),
    )
    const calls = last.filter(({ key }) => key !== 'Interaction.Create')
    expect(calls.map(({ count }) => count)).toEqual(
      first.filter(({ key }) => key !== 'Interaction.Create').map(({ count }) => count * ROUNDS),
    )
    const bytes = (rows: typeof last) => rows.reduce((sum, row) => sum + row.bytes, 0)
    expect(bytes(last) - bytes(first)).toBeLessThanOrEqual(last.length * `"count":${ROUNDS},`.length)
    // The calls that proved nothing have waited for the next proof, whose row counts them.
    expect((await start('SignIn', { identifier: account })).status).toBe(204)
    const entries = await auditEntries(DB, uid)
    expect(entries).toContainEqual(
      expect.objectContaining({
        key: 'Interaction.Register.Profile.Delete',
        payload: expect.objectContaining({ count: ROUNDS }),
      }),
    )
    expect(entries.filter(({ key }) => key === 'Interaction.Create')).toHaveLength(1)
  })

  it('include every wrong password, but not attempts rejected by a rate limit', async () => {
    await DB.prepare('delete from failed_requests').run()
    const { start } = await beginInteraction(app)
    const username = freshName()
    const began = Date.now()
    const attempt = () => start('SignIn', { identifier: { username, password: 'wrong-horse-7' } })
    const statuses: number[] = []
    for (let n = 0; n < 14; n++) statuses.push((await attempt()).status)
    expect(statuses.filter((status) => status === 429).length).toBe(4)

    const { results } = await DB.prepare(
      "select key, payload ->> '$.error.code' as error from logs where created_at >= ? and payload ->> '$.error.code' is not null",
    )
      .bind(began)
      .all<{ key: string; error: string }>()
    const wrong = {
      key: 'Interaction.SignIn.Identifier.Password.Submit',
      error: 'session.invalid_credentials',
    }
    expect(results).toEqual(Array.from({ length: 10 }, () => wrong))
    expect(await (await operator.get('/failed-requests?endpoint=interaction')).json()).toMatchObject([
      { applicationId: 'demo-app', error: 'request.too_many_requests', count: 4 },
    ])
  })
})

it('[ASVS-2.4.1-10] the database grows by less than 5 MB for 100,000 unauthenticated requests', async () => {
  const app = openTestApp()
  const sizeOf = async () => {
    const { meta } = await app.env.DB.prepare('select 1').run()
    return meta.size_after
  }
  const { url } = await authorizationRequest()
  const headers = { 'user-agent': HUGE, 'cf-connecting-ip': '203.0.113.9' }
  const token = { grant_type: 'refresh_token', client_id: 'demo-app', refresh_token: HUGE.slice(0, 9_000) }
  const refused = (client: string) => `/oidc/auth?client_id=${client}&response_type=code`
  const push = { client_id: 'made-up', response_type: 'code', state: HUGE.slice(0, 3_500) }
  const post = (path: string, body: Record<string, string>) =>
    app.fetch(path, { method: 'POST', headers, body: new URLSearchParams(body) })
  const kinds: { count: number; ask(n: number): Promise<Response> }[] = [
    { count: 200, ask: () => app.fetch(url, { headers }) },
    { count: 20, ask: () => app.fetch(`${url}&login_hint=${HUGE.slice(0, 9_000)}`, { headers }) },
    { count: 20, ask: (n) => app.fetch(refused(`made-up-${n}`), { headers }) },
    { count: 20, ask: () => post('/oidc/token', token) },
    { count: 20, ask: () => post('/oidc/request', push) },
  ]
  for (const { ask } of kinds) await ask(0)
  const before = await sizeOf()
  for (const { count, ask } of kinds) for (let n = 1; n <= count; n++) await ask(n)
  const grown = (await sizeOf()) - before
  const total = kinds.reduce((sum, { count }) => sum + count, 0)
  expect((grown / total) * 100_000).toBeLessThanOrEqual(5_000_000)
})
