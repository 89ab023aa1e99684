import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { navigationCookieName } from '../../../src/storage/interactions/interactions.ts'
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

/** The headers of a browser for a form of ours. */
const OURS = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }

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

const post = (path: string, form: Record<string, string>, headers: Record<string, string> = OURS) =>
  client.post(path, { interaction: uid, ...form }, headers)

const location = (answer: Response) => answer.headers.get('location') ?? ''

async function register(username: string): Promise<Response> {
  await post('/register', { identifier: username })
  return post('/register/password', { newPassword: PASSWORD, confirmPassword: PASSWORD })
}

describe('without JavaScript', () => {
  it('a user registers, and arrives at the application with a code', async () => {
    const username = freshName()
    const first = await post('/register', { identifier: username })
    expect(first.status).toBe(303)
    expect(location(first)).toBe(`/register/password?interaction=${uid}`)
    expect(client.cookies.has(navigationCookieName(uid))).toBe(true)

    const navigation = await client.get(location(first))
    expect(await navigation.text()).toContain(username)

    const second = await post('/register/password', { newPassword: PASSWORD, confirmPassword: PASSWORD })
    expect(second.status).toBe(303)
    expect(location(second)).toBe(`${ORIGIN}/oidc/auth/${uid}`)

    const code = new URL(location(await client.get(location(second)))).searchParams.get('code') ?? ''
    expect((await redeemCode(app, request, code)).status).toBe(200)
  })

  it('[RFC9700-4.12] a user signs in, in two requests', async () => {
    const username = freshName()
    await register(username)
    uid = await openSignInPage(client, request)

    const posted = await post('/sign-in', { identifier: username, password: PASSWORD })
    expect(location(posted)).toBe(`${ORIGIN}/oidc/auth/${uid}`)
    expect(location(await client.get(location(posted)))).toContain(`${request.redirectUri}?code=`)
  })

  it('a wrong password is refused on the page, which keeps the name and not the password', async () => {
    const username = freshName()
    const answer = await post('/sign-in', { identifier: username, password: 'wrong-password-1' })
    const html = await answer.text()
    expect(answer.status).toBe(422)
    expect(html).toContain('Incorrect account or password')
    expect(html).toContain(`value="${username}"`)
    expect(html).not.toContain('wrong-password-1')
    expect(html).toContain('"field":"password"')
  })

  it('a name in use is refused at its field', async () => {
    const username = freshName()
    await register(username)
    uid = await openSignInPage(client, request)
    const answer = await post('/register', { identifier: username })
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain('Username already exists')
  })

  it('focuses the field, and names the error in the title', async () => {
    const answer = await post('/register', { identifier: '1st' })
    const html = await answer.text()
    expect(html).toContain('<title>Error: Create account</title>')
    expect(/<input[^>]*autofocus[^>]*>/i.exec(html)?.[0]).toContain('name="identifier"')
  })

  it.each(['/sign-in', '/sign-in/consent'])(
    'what belongs to no field is above the form of %s, and stays',
    async (path) => {
      await client.get(`${path}?interaction=${uid}`)
      app.beforeEachTrip(() => {
        throw new Error('D1_ERROR: Network connection lost.')
      })
      const answer = await post(path, { identifier: 'someone', password: PASSWORD })
      app.beforeEachTrip(null)
      const html = await answer.text()
      expect(answer.status).toBe(422)
      expect(html).toMatch(/role="alert">(?:<div[^>]*><svg.*?<\/svg><p>)?The service is not available/)
      expect(html).not.toContain('class="toast"')
    },
  )

  it('an invalid form is refused before a call', async () => {
    app.trips()
    const answer = await post('/register', { identifier: '1st' })
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain('Username should not start with a number')
    expect(app.trips().awaited).toBe(0)
  })

  it('[ASVS-14.2.1] a password never enters an address', async () => {
    const username = freshName()
    const answers = [
      await post('/register', { identifier: username, password: PASSWORD }),
      await post('/register/password', { newPassword: PASSWORD, confirmPassword: PASSWORD }),
    ]
    uid = await openSignInPage(client, request)
    answers.push(await post('/sign-in', { identifier: username, password: PASSWORD }))
    for (const answer of answers) {
      expect(answer.status).toBe(303)
      expect(location(answer)).not.toContain(PASSWORD)
    }
  })

  it('two tabs keep two interactions', async () => {
    const username = freshName()
    await register(username)
    const first = await openSignInPage(client, request)
    const second = await openSignInPage(client, await authorizationRequest({ state: 'second' }))
    const form = { identifier: username, password: PASSWORD }
    expect(location(await client.post('/sign-in', { ...form, interaction: first }, OURS))).toContain(first)
    expect(location(await client.post('/sign-in', { ...form, interaction: second }, OURS))).toContain(second)
  })
})

describe('an interaction that is over', () => {
  it('leads a browser without its cookie to the page for an unknown session', async () => {
    client.cookies.clear()
    const answer = await post('/sign-in', { identifier: 'someone', password: PASSWORD })
    expect(answer.status).toBe(303)
    expect(location(answer)).toBe('/unknown-session')
  })

  it('offers to start again when it was finished elsewhere', async () => {
    const kept = new Map(client.cookies)
    await register(freshName())
    for (const [name, cookie] of kept) client.cookies.set(name, cookie)
    const answer = await post('/sign-in', { identifier: freshName(), password: PASSWORD })
    expect(await answer.text()).toContain('/oidc/auth?client_id=demo-app')
  })
})

describe('a form that is not ours', () => {
  it.each<{ from: string; headers: Record<string, string> }>([
    { from: 'another site', headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } },
    { from: 'a neighbour', headers: { 'sec-fetch-site': 'same-site' } },
    { from: 'nowhere', headers: { origin: 'null' } },
    { from: 'a sandbox', headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } },
  ])('from $from is refused', async ({ headers }) => {
    const answer = await post('/sign-in', { identifier: 'someone', password: PASSWORD }, headers)
    expect(answer.status).toBe(403)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })

  it.each<{ from: string; headers: Record<string, string> }>([
    {
      from: 'our page under a strict referrer policy',
      headers: { origin: 'null', 'sec-fetch-site': 'same-origin' },
    },
    { from: 'no browser', headers: {} },
  ])('from $from passes', async ({ headers }) => {
    const answer = await post('/sign-in', { identifier: 'someone', password: '' }, headers)
    expect(answer.status).toBe(422)
  })
})

describe('a form that cannot be read', () => {
  it('is refused above 64 KiB', async () => {
    const answer = await post('/sign-in', { identifier: 'a'.repeat(64 * 1024), password: PASSWORD })
    expect(answer.status).toBe(413)
  })

  it('is refused above 64 KiB even without its length', async () => {
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

  it('is refused in any other form', async () => {
    const parts = new FormData()
    parts.set('identifier', 'someone')
    expect((await app.fetch('/sign-in', { method: 'POST', body: parts })).status).toBe(415)
    expect((await app.fetch('/sign-in', { method: 'POST', body: '{}' })).status).toBe(415)
  })

  it('is refused on other pages', async () => {
    const known = await app.fetch('/unknown-session', { method: 'POST' })
    expect(known.status).toBe(405)
    expect(known.headers.get('allow')).toBe('GET, HEAD')
    expect((await app.fetch('/no/such/page', { method: 'POST' })).status).toBe(404)
    expect((await app.fetch('/sign-in', { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD, POST')
  })
})
