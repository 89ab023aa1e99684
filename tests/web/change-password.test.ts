import { describe, expect, it } from 'vitest'
import {
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../kit/clients/cookie-client.ts'
import { everyMethod, setExperience, setTenantSettings } from '../kit/tenant-settings.ts'
import { openTestApp } from '../kit/test-app.ts'

const CHANGE_PASSWORD = '/.well-known/change-password'

describe('the well-known URL for changing a password', () => {
  it('redirects to the page that the operator configured', async () => {
    const app = openTestApp()
    const changePasswordUrl = 'https://www.example.com/account/password'
    await setTenantSettings(app, { changePasswordUrl })
    const response = await app.fetch(CHANGE_PASSWORD)
    expect([response.status, response.headers.get('location')]).toEqual([302, changePasswordUrl])
  })

  it('redirects to the first page of a password reset if the operator configured none', async () => {
    const app = openTestApp()
    await setTenantSettings(app, { changePasswordUrl: null })
    await setExperience(app, { methods: everyMethod })
    const client = newCookieClient(app)
    const response = await client.get(CHANGE_PASSWORD)
    expect(response.status).toBe(302)
    const authorization = await client.get(response.headers.get('location') ?? '')
    expect(authorization.headers.get('location')).toMatch(/^\/forgot-password\?interaction=[\w-]+$/)
    expect((await client.get(authorization.headers.get('location') ?? '')).status).toBe(200)
  })

  it('redirects to the sign-in page if passwords cannot be reset', async () => {
    const app = openTestApp({ ENVIRONMENT: 'production' })
    await setTenantSettings(app, { changePasswordUrl: null })
    const client = newCookieClient(app)
    const authorization = await client.get((await client.get(CHANGE_PASSWORD)).headers.get('location') ?? '')
    expect(authorization.headers.get('location')).toMatch(/^\/sign-in\?interaction=[\w-]+$/)
  })

  it('asks even a signed-in user to sign in, and then shows a page instead of issuing an authorization code', async () => {
    const app = openTestApp()
    await setTenantSettings(app, { changePasswordUrl: null })
    const client = newCookieClient(app)
    const name = freshName()
    const first = await openSignInPage(client, { ...nothing, url: await addressOf(client) })
    await resumeAuthorization(client, await registerAccount(client, first, name))

    const uid = await openSignInPage(client, { ...nothing, url: await addressOf(client) })
    expect(uid).toMatch(/^[\w-]+$/)
    const end = await resumeAuthorization(client, await signIn(client, uid, name))
    expect(end.origin + end.pathname).toBe(`${ORIGIN}/signed-in`)
    expect([...end.searchParams.keys()].sort()).toEqual(['iss', 'state'])
    const page = await client.get(end.pathname + end.search, { 'accept-language': 'de' })
    expect(await page.text()).toMatch(/<h1[^>]*>Sie sind angemeldet<\/h1>/)
  })

  it('differs from unknown well-known URLs, which do not respond with a success status', async () => {
    const app = openTestApp()
    const unreliable = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'
    expect((await app.fetch(unreliable)).status).toBe(404)
  })
})

const nothing = { verifier: '', state: '', nonce: '', redirectUri: '' }
const addressOf = async (client: ReturnType<typeof newCookieClient>) =>
  (await client.get(CHANGE_PASSWORD)).headers.get('location') ?? ''
