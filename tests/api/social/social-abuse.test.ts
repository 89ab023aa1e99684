import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerAt } from '../../journeys/social/upstream-sign-in.ts'
import { newCookieClient, ORIGIN, resumeAuthorization } from '../../kit/clients/cookie-client.ts'
import { freshEmail, outcomeOf } from '../../kit/clients/interaction-client.ts'
import {
  addUser,
  beginSocialInteraction,
  comeBack,
  installUpstream,
  newProviderAccount,
  type SocialClient,
  userById,
} from '../../kit/clients/social-client.ts'
import { setExperience } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Attacks that try to sign in to another user's account, or to sign another user in to the attacker's account. */

let app: TestApp
beforeAll(async () => {
  app = openTestApp()
  await setExperience(app, { signUp: { identifiers: [], password: false, verify: false } })
  await installUpstream(app, ['oidc', 'oauth2', 'google'])
})

async function startSignIn(): Promise<SocialClient> {
  const flow = await beginSocialInteraction(app)
  await flow.start('SignIn')
  return flow
}

/** Creates a user whose account has a social identity. */
async function newOwner() {
  const providerAccount = await newProviderAccount({ email: freshEmail(), isVerified: true })
  return { providerAccount, id: await addUser(app, { identity: ['oidc', providerAccount.id] }) }
}

const noConnectorSession = [400, 'session.connector_validation_session_not_found']

describe('a provider response that belongs to another request', () => {
  it('is rejected when it is submitted for another connector', async () => {
    const flow = await startSignIn()
    const { providerAccount } = await newOwner()
    const data = await flow.signInAtProvider('oidc', providerAccount)
    expect(await outcomeOf(await flow.show('oauth2', data))).toEqual(noConnectorSession)
    expect(await outcomeOf(await flow.show('google', data))).toEqual(noConnectorSession)
    // The pending authorization is unaffected.
    expect((await flow.show('oidc', data)).status).toBe(204)
  })

  it('is rejected at another connector’s callback', async () => {
    const flow = await startSignIn()
    const { providerAccount } = await newOwner()
    const { redirectTo } = (await (await flow.ask('oidc')).json()) as { redirectTo: string }
    const { url } = await answerAt(redirectTo, providerAccount)
    const page = await comeBack(flow.client, {
      url: new URL(url.href.replace('/callback/oidc', '/callback/google')),
      form: null,
    })
    expect(page.pathname).toBe('/sign-in/social/google')
    const { interaction, ...data } = Object.fromEntries(page.searchParams)
    expect(interaction).toBe(flow.uid)
    expect(await outcomeOf(await flow.show('google', data))).toEqual(noConnectorSession)
  })

  it.each([
    ['another issuer', { iss: 'https://other.example' }],
    ['a missing issuer', { iss: undefined }],
  ])('[RFC9700-2.1-7] is rejected as a mix-up if it has %s (RFC 9207)', async (_, changes) => {
    const flow = await startSignIn()
    const data = await flow.signInAtProvider('oidc', (await newOwner()).providerAccount)
    expect((await outcomeOf(await flow.show('oidc', { ...data, ...changes }))).slice(0, 2)).toEqual([
      401,
      'connector.authorization_failed',
    ])
  })

  it('[RFC9700-4.7.1] is rejected if its state differs, and leaves the original request usable', async () => {
    const flow = await startSignIn()
    const data = await flow.signInAtProvider('oidc', (await newOwner()).providerAccount)
    for (const state of ['', 'other', `${flow.uid}.aaaaaaaaaaa`, null, 1, { a: 1 }, [data.state]]) {
      expect(await outcomeOf(await flow.show('oidc', { ...data, state }))).toEqual(noConnectorSession)
    }
    expect((await flow.show('oidc', data)).status).toBe(204)
  })

  it('is rejected in any other interaction, even within one browser', async () => {
    const first = await startSignIn()
    const second = await beginSocialInteraction(app, first.client)
    await second.start('SignIn')
    const { providerAccount } = await newOwner()
    await second.ask('oidc')
    // The provider redirects to the page of the first interaction, although the second one is newer.
    const data = await first.signInAtProvider('oidc', providerAccount)
    expect(await outcomeOf(await second.show('oidc', data))).toEqual(noConnectorSession)
    expect((await first.show('oidc', data)).status).toBe(204)
    expect(await outcomeOf(await second.submit())).toEqual([404, 'session.identifier_not_found'])
  })

  it('[ASVS-10.1.2] does not sign an attacker in, even if a stolen code is combined with the attacker’s own state', async () => {
    const victim = await startSignIn()
    const { providerAccount, id } = await newOwner()
    const stolen = await victim.signInAtProvider('oidc', providerAccount)
    const thief = await startSignIn()
    await thief.ask('oidc')
    expect(await outcomeOf(await thief.show('oidc', stolen))).toEqual(noConnectorSession)
    // The attacker's own state does not help either, because the code is bound to the verifier and nonce of the
    // victim's request.
    const attack = await thief.signInAtProvider('oidc', await newProviderAccount())
    expect((await outcomeOf(await thief.show('oidc', { ...attack, code: stolen.code }))).slice(0, 2)).toEqual(
      [401, 'connector.social_auth_code_invalid'],
    )
    expect(await outcomeOf(await thief.submit())).toEqual([404, 'session.identifier_not_found'])
    expect(await userById(app, id)).toMatchObject({ last_sign_in_at: null })
  })
})

describe('a provider response that was already used', () => {
  it('is rejected because its connector session is gone', async () => {
    const flow = await startSignIn()
    const data = await flow.signInAtProvider('oidc', (await newOwner()).providerAccount)
    expect((await flow.show('oidc', data)).status).toBe(204)
    expect(await outcomeOf(await flow.show('oidc', data))).toEqual(noConnectorSession)
  })

  it('cannot be used again, even if the first attempt failed', async () => {
    const flow = await startSignIn()
    const data = await flow.signInAtProvider('oidc', (await newOwner()).providerAccount)
    expect((await flow.show('oidc', { ...data, code: 'another' })).status).toBe(401)
    expect(await outcomeOf(await flow.show('oidc', data))).toEqual(noConnectorSession)
  })

  it('is rejected by the provider if an older cookie restores the connector session', async () => {
    const flow = await startSignIn()
    const data = await flow.signInAtProvider('oidc', (await newOwner()).providerAccount)
    const before = new Map(flow.client.cookies)
    expect((await flow.show('oidc', data)).status).toBe(204)
    for (const [name, cookie] of before) flow.client.cookies.set(name, cookie)
    expect((await outcomeOf(await flow.show('oidc', data))).slice(0, 2)).toEqual([
      401,
      'connector.social_auth_code_invalid',
    ])
  })

  it('is rejected with any older cookie once the user has signed in', async () => {
    const flow = await startSignIn()
    const data = await flow.signInAtProvider('oidc', (await newOwner()).providerAccount)
    const before = new Map(flow.client.cookies)
    await flow.show('oidc', data)
    await resumeAuthorization(flow.client, await flow.submit())
    for (const [name, cookie] of before) flow.client.cookies.set(name, cookie)
    expect((await outcomeOf(await flow.show('oidc', data))).slice(0, 2)).toEqual([400, 'session.not_found'])
  })

  it('is rejected after another authorization was started', async () => {
    const flow = await startSignIn()
    const first = await flow.signInAtProvider('oidc', (await newOwner()).providerAccount)
    await flow.ask('oidc')
    expect(await outcomeOf(await flow.show('oidc', first))).toEqual(noConnectorSession)
  })

  it('is rejected after PUT /interaction', async () => {
    const flow = await startSignIn()
    const first = await flow.signInAtProvider('oidc', (await newOwner()).providerAccount)
    await flow.start('SignIn')
    expect(await outcomeOf(await flow.show('oidc', first))).toEqual(noConnectorSession)
  })
})

describe('a callback in a browser that did not start the authorization', () => {
  it('[RFC9700-4.7.1-2] does not sign a user in, because the browser has no interaction', async () => {
    const victim = await startSignIn()
    const { providerAccount, id } = await newOwner()
    const { redirectTo } = (await (await victim.ask('oidc')).json()) as { redirectTo: string }
    const { url } = await answerAt(redirectTo, providerAccount)

    const other = newCookieClient(app)
    const page = await comeBack(other, { url, form: null })
    expect(page.searchParams.get('interaction')).toBe(victim.uid)
    const response = await other.get(page.pathname + page.search)
    expect([302, 400, 404]).toContain(response.status)
    if (response.status === 302) expect(response.headers.get('location')).toMatch(/^\/unknown-session/)

    const { interaction: _, ...data } = Object.fromEntries(page.searchParams)
    const body = { connectorId: 'oidc', connectorData: data }
    const headers = { Interaction: victim.uid }
    const rejected = await other.send('PATCH', '/api/interaction/identifiers', body, headers)
    expect((await outcomeOf(rejected)).slice(0, 2)).toEqual([400, 'session.not_found'])
    expect([...other.cookies.keys()]).toEqual([])
    expect(await userById(app, id)).toMatchObject({ last_sign_in_at: null })
  })

  it('does not sign a victim in to the attacker’s account, even if the browser has another interaction', async () => {
    // The victim opens a link with the response for the attacker's own account.
    const attacker = await startSignIn()
    const { providerAccount, id } = await newOwner()
    const { redirectTo } = (await (await attacker.ask('oidc')).json()) as { redirectTo: string }
    const { url } = await answerAt(redirectTo, providerAccount)

    const victim = await startSignIn()
    await victim.ask('oidc')
    const page = await comeBack(victim.client, { url, form: null })
    const { interaction: _, ...data } = Object.fromEntries(page.searchParams)
    expect(await outcomeOf(await victim.show('oidc', data))).toEqual(noConnectorSession)
    expect(await outcomeOf(await victim.submit())).toEqual([404, 'session.identifier_not_found'])
    expect(await userById(app, id)).toMatchObject({ last_sign_in_at: null })
  })
})

describe('a social identity (spec/interaction#verification)', () => {
  it('does not verify an address that the provider has not verified', async () => {
    const providerAccount = await newProviderAccount({
      email: freshEmail(),
      phone: '491510009999',
      isVerified: false,
    })
    const target = await addUser(app, {
      email: providerAccount.email ?? '',
      phone: providerAccount.phone ?? '',
    })
    const flow = await startSignIn()
    expect((await flow.proveBy('oidc', providerAccount)).status).toBe(204)
    for (const address of [{ email: providerAccount.email }, { phone: providerAccount.phone }]) {
      const claimed = await flow.call('PATCH', '/identifiers', { connectorId: 'oidc', ...address })
      expect(await outcomeOf(claimed)).toEqual([400, 'session.connector_session_not_found'])
    }
    expect(await outcomeOf(await flow.submit())).toEqual([422, 'user.identity_not_exist', {}])
    expect(await userById(app, target)).toMatchObject({ identities: {}, last_sign_in_at: null })
  })

  it('is not affected by claims that the user adds to the response', async () => {
    const target = await addUser(app, { email: freshEmail() })
    const { primary_email: email } = (await userById(app, target)) ?? {}
    const providerAccount = await newProviderAccount()
    const flow = await startSignIn()
    const data = await flow.signInAtProvider('oidc', providerAccount)
    const forgedData = {
      ...data,
      email,
      email_verified: true,
      sub: 'other',
      id_token: 'x.y.z',
      profile: { email },
    }
    expect((await flow.show('oidc', forgedData)).status).toBe(204)
    expect(await outcomeOf(await flow.submit())).toEqual([422, 'user.identity_not_exist', {}])
    const claimed = await flow.call('PATCH', '/identifiers', { connectorId: 'oidc', email })
    expect(claimed.status).toBe(400)
  })

  it('[ASVS-6.8.1] is distinct from an identity with the same id at another provider', async () => {
    const { providerAccount, id } = await newOwner()
    const flow = await startSignIn()
    await flow.proveBy('google', { id: providerAccount.id })
    expect((await outcomeOf(await flow.submit())).slice(0, 2)).toEqual([422, 'user.identity_not_exist'])
    expect(await userById(app, id)).toMatchObject({ last_sign_in_at: null })
  })

  it('cannot be combined with another account’s address to sign in', async () => {
    const { providerAccount, id } = await newOwner()
    const address = { email: freshEmail() }
    const other = await addUser(app, address)
    await setExperience(app, {
      methods: [{ identifier: 'email', password: false, verificationCode: true, isPasswordPrimary: false }],
    })
    app = openTestApp()
    const flow = await startSignIn()
    await flow.prove(address)
    await flow.proveBy('oidc', providerAccount)
    expect(await outcomeOf(await flow.submit())).toEqual([400, 'session.verification_failed'])
    for (const account of [id, other]) {
      expect(await userById(app, account)).toMatchObject({ last_sign_in_at: null })
    }
  })

  it('cannot be used to reset the password of any account', async () => {
    const { providerAccount, id } = await newOwner()
    const flow = await beginSocialInteraction(app)
    await flow.start('ForgotPassword')
    const victim = await addUser(app, { email: freshEmail() })
    const { primary_email: email } = (await userById(app, victim)) ?? {}
    const notEnabled = [422, 'user.sign_in_method_not_enabled']
    expect(await outcomeOf(await flow.proveBy('oidc', providerAccount))).toEqual(notEnabled)
    expect(await outcomeOf(await flow.call('PATCH', '/identifiers', { connectorId: 'oidc', email }))).toEqual(
      notEnabled,
    )
    await flow.call('PATCH', '/profile', { password: 'correct-horse-7' })
    expect((await flow.submit()).status).toBe(404)
    const { results } = await env.DB.prepare(
      'select id from users where id in (?, ?) and password_encrypted is not null',
    )
      .bind(id, victim)
      .all()
    expect(results).toEqual([])
  })
})

it('social calls from another site are rejected, because only /callback accepts cross-site requests', async () => {
  const flow = await startSignIn()
  const crossSite = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  for (const [method, path] of [
    ['POST', '/verification/social-authorization-uri'],
    ['PATCH', '/identifiers'],
  ] as const) {
    const body = { connectorId: 'oidc', state: 's', redirectUri: ORIGIN, connectorData: {} }
    expect(await outcomeOf(await flow.call(method, path, body, crossSite))).toEqual([403, 'auth.forbidden'])
  }
})
