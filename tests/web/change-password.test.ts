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

const ADDRESS = '/.well-known/change-password'

describe('the address for changing a password', () => {
  it('leads where the operator wants it to', async () => {
    const app = openTestApp()
    const changePasswordUrl = 'https://www.example.com/account/password'
    await setTenantSettings(app, { changePasswordUrl })
    const answer = await app.fetch(ADDRESS)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, changePasswordUrl])
  })

  it('leads to the first page of a reset, without the tip of the demo application', async () => {
    const app = openTestApp()
    await setTenantSettings(app, { changePasswordUrl: null })
    await setExperience(app, { methods: everyMethod })
    const client = newCookieClient(app)
    const answer = await client.get(ADDRESS)
    expect(answer.status).toBe(302)
    const begun = await client.get(answer.headers.get('location') ?? '')
    expect(begun.headers.get('location')).toMatch(/^\/forgot-password\?interaction=[\w-]+$/)
    expect((await client.get(begun.headers.get('location') ?? '')).status).toBe(200)
  })

  it('leads to the sign-in page where nothing can be reset', async () => {
    const app = openTestApp({ ENVIRONMENT: 'production' })
    await setTenantSettings(app, { changePasswordUrl: null })
    const client = newCookieClient(app)
    const begun = await client.get((await client.get(ADDRESS)).headers.get('location') ?? '')
    expect(begun.headers.get('location')).toMatch(/^\/sign-in\?interaction=[\w-]+$/)
  })

  it('asks even those who are signed in, and ends without a code', async () => {
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

  it('does not imply that every such address answers', async () => {
    const app = openTestApp()
    const never = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'
    expect((await app.fetch(never)).status).toBe(404)
  })
})

const nothing = { verifier: '', state: '', nonce: '', redirectUri: '' }
const addressOf = async (client: ReturnType<typeof newCookieClient>) =>
  (await client.get(ADDRESS)).headers.get('location') ?? ''
