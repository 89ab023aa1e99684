import { describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  registerAccount,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp } from '../../kit/test-app.ts'

const app = openTestApp()

/** Registers a user in a browser, which keeps the cookies of the finished interaction. */
async function finishInteraction(parameters: Record<string, string> = {}) {
  const client = newCookieClient(app)
  const request = await authorizationRequest(parameters)
  const uid = await openSignInPage(client, request)
  const submitted = await registerAccount(client, uid, freshName())
  return { client, uid, request, submitted }
}

const locationOf = (response: Response) => new URL(response.headers.get('location') ?? '', ORIGIN)

/** Adds a single-page application with this metadata and returns its id. */
async function addApplication(customClientMetadata: object): Promise<string> {
  const id = crypto.randomUUID().slice(0, 21)
  const metadata = { redirectUris: [`${ORIGIN}/demo-app`], postLogoutRedirectUris: [] }
  await app.env.DB.prepare(
    "insert into applications (tenant_id, id, name, secret, type, oidc_client_metadata, custom_client_metadata, created_at) values ('default', ?, 'A', 's', 'SPA', ?, ?, 1)",
  )
    .bind(id, JSON.stringify(metadata), JSON.stringify(customClientMetadata))
    .run()
  return id
}

describe('a page of a finished interaction', () => {
  it('links to a new interaction with the same request', async () => {
    const { client, uid, request } = await finishInteraction()
    const page = await client.get(`/sign-in?interaction=${uid}`, { accept: 'text/html' })
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).toContain('You’ve already signed in')
    const link = /href="(\/oidc\/auth\?[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(new URL(link, ORIGIN).searchParams.get('state')).toBe(request.state)
    const next = locationOf(await client.get(link))
    // The user is signed in, so the request has its response at once.
    expect([next.pathname, next.searchParams.get('state')]).toEqual(['/demo-app', request.state])
  })

  it('has expired if the user cancelled', async () => {
    const client = newCookieClient(app)
    const uid = await openSignInPage(client, await authorizationRequest())
    await client.send('DELETE', '/api/interaction', undefined, { Interaction: uid })
    const page = await client.get(`/sign-in?interaction=${uid}`, { accept: 'text/html' })
    expect([page.status, (await page.text()).includes('This page has expired')]).toEqual([400, true])
  })

  it('can still be restarted a day after the interaction has expired', async () => {
    const client = newCookieClient(app)
    const response = await client.get((await authorizationRequest()).url)
    const cookie = response.headers
      .getSetCookie()
      .find((line) => line.startsWith('_interaction_') && !/^_interaction_resume/.test(line))
    const expires = Date.parse(/expires=([^;]+)/i.exec(cookie ?? '')?.[1] ?? '')
    expect(expires - Date.now()).toBeGreaterThan(24 * 3600 * 1000)
  })

  it('restarts a pushed request by pushing it again, so no URL contains its parameters', async () => {
    const clientId = await addApplication({})
    const { url } = await authorizationRequest({ client_id: clientId })
    const pushed = await app.fetch('/oidc/request', {
      method: 'POST',
      body: new URL(url, ORIGIN).searchParams,
    })
    const { request_uri: requestUri } = (await pushed.json()) as { request_uri: string }
    const client = newCookieClient(app)
    const query = new URLSearchParams({ client_id: clientId, request_uri: requestUri })
    const uid = await openSignInPage(client, {
      url: `/oidc/auth?${query}`,
      verifier: '',
      state: '',
      nonce: '',
      redirectUri: '',
    })
    await resumeAuthorization(client, await registerAccount(client, uid, freshName()))

    const page = await (await client.get(`/sign-in?interaction=${uid}`, { accept: 'text/html' })).text()
    expect(page).toContain(`/restart?interaction=${uid}`)
    const again = locationOf(await client.get(`/restart?interaction=${uid}`))
    expect([...again.searchParams.keys()]).toEqual(['client_id', 'request_uri'])
    expect(again.searchParams.get('request_uri')).not.toBe(requestUri)
    const response = locationOf(await client.get(again.pathname + again.search))
    expect(response.searchParams.get('code')).toBeTruthy()
  })

  it('[ASVS-4.2.5] redirects to the application on restart if the request was too long for the cookie', async () => {
    const clientId = await addApplication({ initiateLoginUri: 'https://app.example/login' })
    const { client, uid } = await finishInteraction({ client_id: clientId, login_hint: 'x'.repeat(1_600) })
    const to = locationOf(await client.get(`/restart?interaction=${uid}`))
    expect(to.href).toBe(`https://app.example/login?iss=${encodeURIComponent(`${ORIGIN}/oidc`)}`)
  })

  it('cannot be restarted without its cookie', async () => {
    const { uid } = await finishInteraction()
    const to = locationOf(await newCookieClient(app).get(`/restart?interaction=${uid}`))
    expect(to.pathname).toBe('/unknown-session')
  })
})

/** Tests the page for users without an interaction and the provider's error pages (spec/pages#new-sign-in). */
describe('a user whose sign-in cannot continue', () => {
  const LOGIN = `https://app.example/login?iss=${encodeURIComponent(`${ORIGIN}/oidc`)}`
  const TENANT = 'https://www.example.com/welcome'
  const HTML = { accept: 'text/html' }

  /** Returns the status of the page and the target of the link on it. */
  async function continueUrl(page: Response) {
    const link = /<a [^>]*href="([^"]+)"[^>]*>(?:<[^>]*>)?Start again/.exec(await page.text())?.[1]
    return [page.status, link?.replaceAll('&amp;', '&')]
  }

  it.each([
    { name: 'the application', custom: { initiateLoginUri: 'https://app.example/login' }, to: LOGIN },
    { name: 'the tenant if the application has no such URI', custom: {}, to: TENANT },
  ])('is offered a link to $name', async ({ custom, to }) => {
    await setTenantSettings(app, { sessionNotFoundRedirectUrl: TENANT })
    const clientId = await addApplication(custom)
    const client = newCookieClient(openTestApp())
    const request = await authorizationRequest({ client_id: clientId })
    const uid = await openSignInPage(client, request)
    // The browser's latest interaction identifies the application, whether or not the interaction is finished.
    expect(await continueUrl(await client.get('/unknown-session', HTML))).toEqual([400, to])
    await registerAccount(client, uid, freshName())
    expect(await continueUrl(await client.get('/unknown-session', HTML))).toEqual([400, to])

    const invalid = new URL(request.url, ORIGIN)
    invalid.searchParams.set('redirect_uri', 'https://evil.example/')
    expect(
      await continueUrl(await newCookieClient(openTestApp()).get(invalid.pathname + invalid.search, HTML)),
    ).toEqual([400, to])
    // If the client is unknown, the page links to the tenant's URL.
    const unknown = '/oidc/auth?client_id=nobody&redirect_uri=https%3A%2F%2Fevil.example&initiate_login_uri=x'
    expect(await continueUrl(await newCookieClient(openTestApp()).get(unknown, HTML))).toEqual([400, TENANT])
    const signOut = `/oidc/session/end?client_id=${clientId}&post_logout_redirect_uri=https%3A%2F%2Fevil.example`
    expect(await continueUrl(await client.get(signOut, HTML))).toEqual([400, undefined])
  })

  it('can sign in again at the application after signing out of it', async () => {
    await setTenantSettings(app, { accountCentre: { enabled: true } })
    const signedOut = async (clientId: string) => {
      const { client, submitted } = await finishInteraction()
      await resumeAuthorization(client, submitted)
      const question = await (await client.get(`/oidc/session/end?client_id=${clientId}`, HTML)).text()
      const xsrf = /name="xsrf" value="(\w+)"/.exec(question)?.[1] ?? ''
      const ended = locationOf(
        await client.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' }, { origin: ORIGIN }),
      )
      const html = await (await client.get(ended.pathname + ended.search, HTML)).text()
      return /<a [^>]*href="([^"]+)"[^>]*><span[^>]*>Sign in again/.exec(html)?.[1]
    }
    expect(await signedOut(await addApplication({ initiateLoginUri: 'https://app.example/login' }))).toBe(
      LOGIN,
    )
    expect(await signedOut(await addApplication({}))).toBe('/account')
  })

  it('can restart the request if no sign-in URL is configured', async () => {
    await setTenantSettings(app, {})
    const client = newCookieClient(openTestApp())
    const request = await authorizationRequest()
    await openSignInPage(client, request)
    const [status, link] = await continueUrl(await client.get('/unknown-session', HTML))
    expect([status, new URL(String(link), ORIGIN).searchParams.get('state')]).toEqual([400, request.state])
  })

  it('sees an explanation without a link if neither a request nor a URL is known', async () => {
    await setTenantSettings(app, {})
    const fresh = openTestApp()
    for (const time of ['first', 'second']) {
      const page = await fresh.fetch('/unknown-session')
      const html = await page.clone().text()
      expect([time, html.includes('This sign-in can’t continue')]).toEqual([time, true])
      // The specification: 'Session not found. Please go back and sign in again.'
      expect(html).toMatch(
        /<h1[^>]*>[^<]+<\/h1><p[^>]*>Session not found\. Please go back and sign in again\.<\/p>/,
      )
      expect(await continueUrl(page)).toEqual([400, undefined])
    }
  })
})
