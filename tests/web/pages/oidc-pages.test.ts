import { beforeAll, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  redeemCode,
  registerAccount,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

const HTML = { accept: 'text/html' }

let app: TestApp
let client: CookieClient
let idToken: string

beforeAll(async () => {
  app = openTestApp()
  client = newCookieClient(app)
  const request = await authorizationRequest()
  const uid = await openSignInPage(client, request)
  const arrived = await resumeAuthorization(client, await registerAccount(client, uid, freshName()))
  const tokens: { id_token: string } = await (
    await redeemCode(app, request, arrived.searchParams.get('code') ?? '')
  ).json()
  idToken = tokens.id_token
})

describe('the OpenID Provider’s pages', () => {
  it("[OIDC-3.1.2.2] explain in the user's language why they cannot redirect back to the application", async () => {
    const page = await app.fetch('/oidc/auth?client_id=no-such-client&response_type=code', {
      headers: { ...HTML, 'accept-language': 'de' },
    })
    expect(page.status).toBe(400)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-language')).toBe('de')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const html = await page.text()
    expect(html).toContain('Etwas ist schiefgelaufen')
    expect(html).toContain('<p class="description">Wir konnten die Anfrage der App nicht verarbeiten.</p>')
    expect(html).toContain('oidc.provider_error')
  })

  it('offer to start again when an interaction cannot be resumed', async () => {
    const late = newCookieClient(app)
    const uid = await openSignInPage(late, await authorizationRequest({ state: 'the-state-to-find' }))
    late.cookies.delete(`_interaction_resume /oidc/auth/${uid}`)
    const page = await late.get(`/oidc/auth/${uid}`, HTML)
    expect(page.status).toBe(400)
    const html = await page.text()
    expect(html).toContain('This page has expired')
    expect(html).toMatch(/<a [^>]*href="\/oidc\/auth\?[^"]*state=the-state-to-find/)
  })

  it('[LOGOUT-2-4] ask the user to confirm a sign-out if it has no ID token', async () => {
    const page = await client.get('/oidc/session/end?client_id=demo-app', HTML)
    const html = await page.text()
    expect(html).toContain('Sign out?')
    expect(html).toMatch(/<form[^>]* action="[^"]*\/oidc\/session\/end\/confirm"/)
    expect(html).toMatch(/name="xsrf" value="\w+"/)
    expect(page.headers.get('content-security-policy')).toMatch(/form-action 'self'$/)
  })

  it('[LOGOUT-2-5] skip the confirmation of a sign-out if it has an ID token, and can redirect to the application', async () => {
    const query = new URLSearchParams({
      id_token_hint: idToken,
      post_logout_redirect_uri: `${ORIGIN}/demo-app`,
    })
    const page = await client.get(`/oidc/session/end?${query}`, HTML)
    const html = await page.text()
    expect(html).toContain('Sign out?')
    expect(html).toMatch(/type="hidden" name="logout" value="yes"/)
    expect(page.headers.get('content-security-policy')).toMatch(/form-action 'self' http:\/\/localhost:8787$/)
  })

  it('let the user stay signed in', async () => {
    const question = await (await client.get('/oidc/session/end?client_id=demo-app', HTML)).text()
    const stay = /<a href="([^"]*)"[^>]*><span[^>]*>Stay signed in/.exec(question)?.[1] ?? ''
    const page = await client.get(stay, HTML)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('You’re still signed in')
    const silent = await client.get((await authorizationRequest({ prompt: 'none' })).url)
    expect(new URL(silent.headers.get('location') ?? '').searchParams.get('code')).toBeTruthy()
  })

  it('confirm that the user is signed out', async () => {
    const page = await app.fetch('/oidc/session/end/success', { headers: HTML })
    expect(await page.text()).toContain('You’re signed out')
  })
})
