import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  ORIGIN,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import {
  type Application,
  askForToken,
  authorize,
  BACK,
  newApplication,
} from '../../kit/clients/token-client.ts'
import {
  AGENT,
  agentDocument,
  appForAgents,
  publish,
  BACK as TO_AGENT,
} from '../../kit/clients/unregistered-client.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests claims that are requested without their scopes, with the parameter `claims` (OIDC Core §5.5). */

let app: TestApp
let operator: Operator
let shop: Application
let partner: Application
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  shop = await newApplication(operator)
  partner = await newApplication(operator, { customClientMetadata: { isThirdParty: true } })
})

type User = { browser: CookieClient; id: string; email: string }

async function newUser(at = app): Promise<User> {
  const { client: browser, userId: id } = await storeMember(at, { scope: 'openid' })
  const email = `${freshName()}@example.com`
  const profile = { birthdate: '1990-12-31', givenName: 'Ada', gender: 'female' }
  const user = {
    primaryEmail: email,
    primaryPhone: `49${Date.now()}`,
    name: 'Ada',
    customData: { a: 1 },
    profile,
  }
  expect((await operator.send('PATCH', `/users/${id}`, user)).status).toBe(200)
  return { browser, id, email }
}

const asking = (claims: object) => ({ claims: JSON.stringify(claims) })
const atUserinfo = (...names: string[]) =>
  asking({ userinfo: Object.fromEntries(names.map((name) => [name, null])) })

/** Redeems the code, and returns the claims about the user in the ID token and at userinfo. */
async function claimsOf(application: Application, redemption: Record<string, string>) {
  const tokens = await askForToken(app, application, redemption)
  expect(tokens).toMatchObject({ status: 200 })
  return { ...(await claimsIn(tokens)), tokens }
}

async function claimsIn({ id_token, access_token }: { id_token?: string; access_token: string }) {
  const answer = await app.fetch('/oidc/me', { headers: { authorization: `Bearer ${access_token}` } })
  const [idToken, userinfo] = [decodeJwt(id_token ?? ''), (await answer.json()) as object]
  return { idToken: aboutUser(idToken), userinfo: aboutUser(userinfo) }
}

const aboutToken = ['sub', 'acr', 'amr', 'auth_time', 'iss', 'aud', 'iat', 'exp', 'nonce', 'at_hash', 'sid']
const aboutUser = (claims: object) =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !aboutToken.includes(name)))

describe('a claim that a first party requests without its scope', () => {
  it('is granted without a question, and returned only where it was requested', async () => {
    const { browser, email } = await newUser()
    const { back, redemption } = await authorize(browser, shop, {
      ...asking({
        userinfo: { email: null, birthdate: { essential: true } },
        id_token: { given_name: null },
      }),
      prompt: 'none',
    })
    expect(back.searchParams.get('error')).toBeNull()
    const { idToken, userinfo } = await claimsOf(shop, redemption)
    expect({ idToken, userinfo }).toEqual({
      idToken: { given_name: 'Ada' },
      userinfo: { email, birthdate: '1990-12-31' },
    })
  })

  it('is not returned to a later request that does not name it', async () => {
    const { browser } = await newUser()
    await authorize(browser, shop, atUserinfo('email'))
    const { redemption } = await authorize(browser, shop)
    expect(await claimsOf(shop, redemption)).toMatchObject({ idToken: {}, userinfo: {} })
    expect((await claimsOf(shop, (await authorize(browser, shop)).redemption)).userinfo).toEqual({})
  })

  it('is also returned after a refresh', async () => {
    const { browser } = await newUser()
    const { redemption } = await authorize(browser, shop, {
      ...asking({ userinfo: { gender: null }, id_token: { birthdate: null } }),
      scope: 'openid offline_access',
      prompt: 'consent',
    })
    const { tokens } = await claimsOf(shop, redemption)
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }
    expect(await claimsIn(await askForToken(app, shop, form))).toEqual({
      idToken: { birthdate: '1990-12-31' },
      userinfo: { gender: 'female' },
    })
  })

  it('is returned whatever the ID token otherwise contains', async () => {
    const minimal = await newApplication(operator, { customClientMetadata: { idTokenClaims: 'minimal' } })
    const { browser, email } = await newUser()
    const { redemption } = await authorize(browser, minimal, {
      ...asking({ id_token: { email: null } }),
      scope: 'openid profile',
    })
    const { idToken, userinfo } = await claimsOf(minimal, redemption)
    expect(idToken).toEqual({ email })
    expect(userinfo).toMatchObject({ name: 'Ada' })
    expect(userinfo).not.toHaveProperty('email')
  })

  it('is never one that no scope releases, nor username without its scope', async () => {
    const { browser } = await newUser()
    const names = [
      'username',
      'password',
      'applicationId',
      'isSuspended',
      'is_suspended',
      'updatedAt',
      'tenantId',
    ]
    const claims = Object.fromEntries(names.map((name) => [name, { essential: true }]))
    const { redemption } = await authorize(browser, shop, asking({ userinfo: claims, id_token: claims }))
    const { idToken, userinfo } = await claimsOf(shop, redemption)
    expect({ idToken, userinfo }).toEqual({ idToken: {}, userinfo: {} })
  })

  it('is never in the ID token if it is only for userinfo', async () => {
    const { browser } = await newUser()
    const claims = { custom_data: null, identities: null }
    const request = asking({ userinfo: claims, id_token: claims })
    const { idToken, userinfo } = await claimsOf(shop, (await authorize(browser, shop, request)).redemption)
    expect(idToken).toEqual({})
    expect(userinfo).toEqual({ custom_data: { a: 1 }, identities: {} })
  })
})

describe('a claim that a third party requests without its scope', () => {
  /** Requests an authorization, and stops at the page that asks for consent. */
  async function ask(browser: CookieClient, form: Record<string, string>) {
    const request = await authorizationRequest({
      client_id: partner.id,
      redirect_uri: BACK,
      scope: 'openid',
      ...form,
    })
    const to = new URL((await browser.get(request.url)).headers.get('location') ?? '', ORIGIN)
    return { to, uid: to.searchParams.get('interaction') ?? '', request }
  }

  const show = async (browser: CookieClient, { pathname, search }: URL) => {
    const html = await (await browser.get(pathname + search, { accept: 'text/html' })).text()
    const [requested = '', granted = ''] = (/<main.*<\/main>/s.exec(html)?.[0] ?? '').split('consent-granted')
    const entries = (part: string) =>
      [...part.matchAll(/<li>(.*?)<\/li>/g)].map(([, text = '']) => text.replaceAll(/<[^>]*>/g, ''))
    return { asked: entries(requested), granted: entries(granted) }
  }

  const decide = async (browser: CookieClient, uid: string, decision = 'allow') =>
    resumeAuthorization(
      browser,
      await browser.send('POST', '/api/interaction/consent', { decision }, { Interaction: uid }),
    )

  const redemptionOf = ({ verifier }: { verifier: string }, back: URL) => ({
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: BACK,
  })

  it('is listed on the consent page, which works without JavaScript, and granted with the consent', async () => {
    const { browser, email } = await newUser()
    const form = asking({ userinfo: { email: null, birthdate: null, given_name: null, family_name: null } })
    const { to, uid, request } = await ask(browser, form)
    expect(to.pathname).toBe('/sign-in/consent')
    expect(await show(browser, to)).toEqual({
      asked: ['Know who you are', 'See your email', 'See your date of birth', 'See your name'],
      granted: [],
    })
    const headers = { origin: ORIGIN, 'sec-fetch-site': 'same-origin', accept: 'text/html' }
    const posted = await browser.post(
      `${to.pathname}${to.search}`,
      { interaction: uid, decision: 'allow' },
      headers,
    )
    const resumed = await browser.get(posted.headers.get('location') ?? '')
    const { userinfo } = await claimsOf(
      partner,
      redemptionOf(request, new URL(resumed.headers.get('location') ?? '')),
    )
    expect(userinfo).toEqual({ email, birthdate: '1990-12-31', given_name: 'Ada' })
  })

  it('is not granted if the user denies the request', async () => {
    const { browser } = await newUser()
    const { uid } = await ask(browser, atUserinfo('email'))
    expect((await decide(browser, uid, 'deny')).searchParams.get('error')).toBe('access_denied')
    expect(
      (await ask(browser, { ...atUserinfo('email'), prompt: 'none' })).to.searchParams.get('error'),
    ).toBe('consent_required')
  })

  it('is granted to later requests, in this session and in others, while another claim is new', async () => {
    const { browser, id, email } = await newUser()
    await decide(browser, (await ask(browser, atUserinfo('email'))).uid)
    const username = ((await (await operator.get(`/users/${id}`)).json()) as { username: string }).username
    const { client: otherBrowser } = await storeMember(app, { username })
    for (const each of [browser, otherBrowser]) {
      const { to, request } = await ask(each, { ...atUserinfo('email'), prompt: 'none' })
      expect(to.searchParams.get('error')).toBeNull()
      expect((await claimsOf(partner, redemptionOf(request, to))).userinfo).toEqual({ email })
    }
    const silent = await ask(browser, { ...atUserinfo('email', 'gender'), prompt: 'none' })
    expect(silent.to.searchParams.get('error')).toBe('consent_required')
    const { to, uid, request } = await ask(browser, atUserinfo('email', 'gender'))
    expect(await show(browser, to)).toEqual({
      asked: ['See your gender'],
      granted: ['Know who you are', 'See your email'],
    })
    const back = await decide(browser, uid)
    expect((await claimsOf(partner, redemptionOf(request, back))).userinfo).toEqual({
      email,
      gender: 'female',
    })
  })

  it('needs no question after a consent to its scope, but not the other way round', async () => {
    const { browser, email } = await newUser()
    await decide(browser, (await ask(browser, { scope: 'openid email' })).uid)
    const { to, request } = await ask(browser, { ...atUserinfo('email'), prompt: 'none' })
    expect((await claimsOf(partner, redemptionOf(request, to))).userinfo).toEqual({ email })

    await decide(browser, (await ask(browser, atUserinfo('phone_number'))).uid)
    const wider = await ask(browser, { scope: 'openid phone', prompt: 'none' })
    expect(wider.to.searchParams.get('error')).toBe('consent_required')
  })

  it('is in the list of consents, from which the user can withdraw it, and in the audit log', async () => {
    const { browser, id } = await newUser()
    await decide(browser, (await ask(browser, atUserinfo('birthdate', 'email'))).uid)
    const listed = (await (await operator.get(`/users/${id}/consents`)).json()) as object[]
    expect(listed).toMatchObject([{ scopes: ['openid'], claims: ['birthdate', 'email'], resources: [] }])
    const { results } = await app.env.DB.prepare(
      "select payload ->> '$.claims' as claims from logs where key = 'Interaction.Consent.Allow' and user_id = ?",
    )
      .bind(id)
      .all()
    expect(results).toEqual([{ claims: 'birthdate email' }])
    expect((await operator.send('DELETE', `/users/${id}/consents/${partner.id}`)).status).toBe(204)
    const again = await ask(browser, { ...atUserinfo('birthdate'), prompt: 'none' })
    expect(again.to.searchParams.get('error')).toBe('consent_required')
  })

  it('can be requested in a pushed request', async () => {
    const { browser, email } = await newUser()
    const { url, verifier } = await authorizationRequest({
      client_id: partner.id,
      redirect_uri: BACK,
      scope: 'openid',
    })
    const form = { ...Object.fromEntries(new URL(url, ORIGIN).searchParams), ...atUserinfo('email') }
    const pushed = await app.fetch('/oidc/request', {
      method: 'POST',
      body: new URLSearchParams({ ...form, client_secret: partner.secret }),
    })
    const { request_uri } = (await pushed.json()) as { request_uri: string }
    const query = new URLSearchParams({ client_id: partner.id, request_uri })
    const to = new URL((await browser.get(`/oidc/auth?${query}`)).headers.get('location') ?? '', ORIGIN)
    expect((await show(browser, to)).asked).toEqual(['Know who you are', 'See your email'])
    const back = await decide(browser, to.searchParams.get('interaction') ?? '')
    expect((await claimsOf(partner, redemptionOf({ verifier }, back))).userinfo).toEqual({ email })
  })
})

describe('a claim that an unregistered client requests without its scope', () => {
  it('is asked for and granted only if the tenant allows its scope', async () => {
    const site = publish({ [AGENT]: () => Response.json(agentDocument) })
    try {
      app = await appForAgents({ scopes: ['openid', 'email'] })
      const { browser, email } = await newUser()
      const request = await authorizationRequest({
        client_id: AGENT,
        redirect_uri: TO_AGENT,
        scope: 'openid',
        ...atUserinfo('email', 'phone_number', 'name'),
      })
      const to = new URL((await browser.get(request.url)).headers.get('location') ?? '', ORIGIN)
      const html = await (await browser.get(to.pathname + to.search, { accept: 'text/html' })).text()
      expect(html).toContain('See your email')
      expect(html).not.toContain('See your phone number<')
      expect(html).not.toContain('See your name<')
      const headers = { Interaction: to.searchParams.get('interaction') ?? '' }
      const decided = await browser.send('POST', '/api/interaction/consent', { decision: 'allow' }, headers)
      const back = await resumeAuthorization(browser, decided)
      const answer = await app.fetch('/oidc/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: back.searchParams.get('code') ?? '',
          code_verifier: request.verifier,
          redirect_uri: TO_AGENT,
          client_id: AGENT,
        }),
      })
      const tokens = (await answer.json()) as { id_token: string; access_token: string }
      expect((await claimsIn(tokens)).userinfo).toEqual({ email })

      // The setting at the time of the request applies, not that at the time of the consent.
      app = await appForAgents({ scopes: ['openid'] })
      expect((await claimsIn(tokens)).userinfo).toEqual({})
    } finally {
      site.restore()
      app = openTestApp()
    }
  })
})
