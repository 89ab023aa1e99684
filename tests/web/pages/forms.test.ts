import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { navigationCookieName } from '../../../src/storage/interactions/interaction-cookies.ts'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
  type PreparedAuthorization,
  redeemCode,
} from '../../kit/clients/cookie-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** The headers that a browser sends with a form on one of our own pages. */
const SAME_ORIGIN = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }

let app: TestApp
let client: CookieClient
let request: PreparedAuthorization
let uid: string

beforeAll(() => {
  app = openTestApp()
})

beforeEach(async () => {
  client = newCookieClient(app)
  request = await authorizationRequest()
  uid = await openSignInPage(client, request)
})

const post = (path: string, form: Record<string, string>, headers: Record<string, string> = SAME_ORIGIN) =>
  client.post(path, { interaction: uid, ...form }, headers)

/** Continues in a browser in which nobody is signed in. */
function newBrowser(): CookieClient {
  client = newCookieClient(app)
  return client
}

const location = (answer: Response) => answer.headers.get('location') ?? ''

async function register(username: string): Promise<Response> {
  await post('/register', { identifier: username })
  return post('/register/password', { newPassword: PASSWORD, confirmPassword: PASSWORD })
}

describe('a form without JavaScript', () => {
  it('lets a user register and return to the application with an authorization code', async () => {
    const username = freshName()
    const first = await post('/register', { identifier: username })
    expect(first.status).toBe(303)
    expect(location(first)).toBe(`/register/password?interaction=${uid}`)
    expect(client.cookies.has(navigationCookieName(uid))).toBe(true)

    const navigation = await client.get(location(first))
    expect(await navigation.text()).toContain(username)

    const second = await post('/register/password', { newPassword: PASSWORD, confirmPassword: PASSWORD })
    expect(second.status).toBe(303)
    const code = new URL(location(second)).searchParams.get('code') ?? ''
    expect((await redeemCode(app, request, code)).status).toBe(200)
  })

  it('[RFC9700-4.12] lets a user sign in with two requests', async () => {
    const username = freshName()
    await register(username)
    uid = await openSignInPage(newBrowser(), request)

    const posted = await post('/sign-in', { identifier: username, password: PASSWORD })
    expect(location(posted)).toContain(`${request.redirectUri}?code=`)
    expect(posted.headers.get('cache-control')).toBe('no-store')
  })

  it('shows that a password is wrong, and keeps the username but not the password', async () => {
    const username = freshName()
    const answer = await post('/sign-in', { identifier: username, password: 'wrong-password-1' })
    const html = await answer.text()
    expect(answer.status).toBe(422)
    expect(html).toContain('That account or password isn’t right')
    expect(html).toContain(`value="${username}"`)
    expect(html).not.toContain('wrong-password-1')
    expect(html).toContain('"field":"password"')
  })

  it('shows next to the field that a username is taken', async () => {
    const username = freshName()
    await register(username)
    uid = await openSignInPage(newBrowser(), request)
    const answer = await post('/register', { identifier: username })
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain('Username already exists')
  })

  it('focuses the invalid field and mentions the error in the page title', async () => {
    const answer = await post('/register', { identifier: '1st' })
    const html = await answer.text()
    expect(html).toContain('<title>Error: Create account</title>')
    expect(/<input[^>]*autofocus[^>]*>/i.exec(html)?.[0]).toContain('name="identifier"')
  })

  it.each(['/sign-in', '/sign-in/consent'])(
    'shows an error that belongs to no field above the form and not in a toast: %s',
    async (path) => {
      await client.get(`${path}?interaction=${uid}`)
      app.beforeEachTrip(() => {
        throw new Error('D1_ERROR: Network connection lost.')
      })
      const answer = await post(path, { identifier: 'someone', password: PASSWORD })
      app.beforeEachTrip(null)
      const html = await answer.text()
      expect(answer.status).toBe(422)
      expect(html).toMatch(/role="alert">(?:<div[^>]*><svg.*?<\/svg><p>)?The service isn’t available/)
      expect(html).not.toContain('class="toast"')
    },
  )

  it('is rejected without accessing the database if it is invalid', async () => {
    app.trips()
    const answer = await post('/register', { identifier: '1st' })
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain('Usernames can’t start with a number')
    expect(app.trips().awaited).toBe(0)
  })

  it('[ASVS-14.2.1] never puts a password in a URL', async () => {
    const username = freshName()
    const answers = [
      await post('/register', { identifier: username, password: PASSWORD }),
      await post('/register/password', { newPassword: PASSWORD, confirmPassword: PASSWORD }),
    ]
    uid = await openSignInPage(newBrowser(), request)
    answers.push(await post('/sign-in', { identifier: username, password: PASSWORD }))
    for (const answer of answers) {
      expect(answer.status).toBe(303)
      expect(location(answer)).not.toContain(PASSWORD)
    }
  })

  it('belongs to its own tab’s interaction', async () => {
    const username = freshName()
    await register(username)
    const first = await openSignInPage(client, request)
    const second = await openSignInPage(client, await authorizationRequest({ state: 'second' }))
    const form = { identifier: username, password: PASSWORD }
    expect(location(await client.post('/sign-in', { ...form, interaction: first }, SAME_ORIGIN))).toContain(
      first,
    )
    expect(location(await client.post('/sign-in', { ...form, interaction: second }, SAME_ORIGIN))).toContain(
      second,
    )
  })
})

describe('a form from a finished interaction', () => {
  it('redirects to the page for unknown sessions if the browser lacks the interaction’s cookie', async () => {
    client.cookies.clear()
    const answer = await post('/sign-in', { identifier: 'someone', password: PASSWORD })
    expect(answer.status).toBe(303)
    expect(location(answer)).toBe('/unknown-session')
  })

  it('offers to start again if the interaction was finished in another tab', async () => {
    const oldCookies = new Map(client.cookies)
    await register(freshName())
    for (const [name, cookie] of oldCookies) client.cookies.set(name, cookie)
    const answer = await post('/sign-in', { identifier: freshName(), password: PASSWORD })
    expect(await answer.text()).toContain('/oidc/auth?client_id=demo-app')
  })
})

describe('a form’s origin check', () => {
  it.each<{ from: string; headers: Record<string, string> }>([
    { from: 'another site', headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } },
    { from: 'a sibling host', headers: { 'sec-fetch-site': 'same-site' } },
    { from: 'an opaque origin', headers: { origin: 'null' } },
    { from: 'a sandboxed frame', headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } },
  ])('rejects a request from $from', async ({ headers }) => {
    const answer = await post('/sign-in', { identifier: 'someone', password: PASSWORD }, headers)
    expect(answer.status).toBe(403)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  it.each<{ from: string; headers: Record<string, string> }>([
    {
      from: 'our page under a strict referrer policy',
      headers: { origin: 'null', 'sec-fetch-site': 'same-origin' },
    },
    { from: 'a client that is not a browser', headers: {} },
  ])('accepts a request from $from', async ({ headers }) => {
    const answer = await post('/sign-in', { identifier: 'someone', password: '' }, headers)
    expect(answer.status).toBe(422)
  })
})

describe('an unacceptable form', () => {
  it('is rejected if it is larger than 64 KiB', async () => {
    const answer = await post('/sign-in', { identifier: 'a'.repeat(64 * 1024), password: PASSWORD })
    expect(answer.status).toBe(413)
  })

  it('is rejected if it is larger than 64 KiB and has no Content-Length', async () => {
    const chunk = new TextEncoder().encode('a'.repeat(1024))
    let left = 70
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left-- > 0) controller.enqueue(chunk)
        else controller.close()
      },
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await app.fetch('/sign-in', { method: 'POST', headers, body })
    expect(answer.status).toBe(413)
  })

  it('is rejected if it has an unexpected content type', async () => {
    const parts = new FormData()
    parts.set('identifier', 'someone')
    expect((await app.fetch('/sign-in', { method: 'POST', body: parts })).status).toBe(415)
    expect((await app.fetch('/sign-in', { method: 'POST', body: '{}' })).status).toBe(415)
  })

  it('is rejected by pages that have no form', async () => {
    const known = await app.fetch('/unknown-session', { method: 'POST' })
    expect(known.status).toBe(405)
    expect(known.headers.get('allow')).toBe('GET, HEAD')
    expect((await app.fetch('/no/such/page', { method: 'POST' })).status).toBe(404)
    expect((await app.fetch('/sign-in', { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD, POST')
  })
})
