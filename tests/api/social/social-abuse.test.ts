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

/** Attempts to enter another user's account, or to sign another user in to one's own. */

let app: TestApp
beforeAll(async () => {
  app = openTestApp()
  await setExperience(app, { signUp: { identifiers: [], password: false, verify: false } })
  await installUpstream(app, ['oidc', 'oauth2', 'google'])
})

async function started(): Promise<SocialClient> {
  const flow = await beginSocialInteraction(app)
  await flow.start('SignIn')
  return flow
}

/** A user with an account that a social identity opens. */
async function owner() {
  const providerAccount = await newProviderAccount({ email: freshEmail(), isVerified: true })
  return { providerAccount, id: await addUser(app, { identity: ['oidc', providerAccount.id] }) }
}

const notBegun = [400, 'session.connector_validation_session_not_found']

describe('an answer that belongs to another request', () => {
  it('of one connector is not accepted by another, in either direction', async () => {
    const flow = await started()
    const { providerAccount } = await owner()
    const data = await flow.signInAtProvider('oidc', providerAccount)
    expect(await outcomeOf(await flow.show('oauth2', data))).toEqual(notBegun)
    expect(await outcomeOf(await flow.show('google', data))).toEqual(notBegun)
    // The authorization that was started is unaffected.
    expect((await flow.show('oidc', data)).status).toBe(204)
  })

  it('that arrives at the callback of another connector is refused there', async () => {
    const flow = await started()
    const { providerAccount } = await owner()
    const { redirectTo } = (await (await flow.ask('oidc')).json()) as { redirectTo: string }
    const { url } = await answerAt(redirectTo, providerAccount)
    const page = await comeBack(flow.client, {
      url: new URL(url.href.replace('/callback/oidc', '/callback/google')),
      form: null,
    })
    expect(page.pathname).toBe('/sign-in/social/google')
    const { interaction, ...data } = Object.fromEntries(page.searchParams)
    expect(interaction).toBe(flow.uid)
    expect(await outcomeOf(await flow.show('google', data))).toEqual(notBegun)
  })

  it.each([
    ['of another issuer', { iss: 'https://other.example' }],
    ['of an issuer it does not name', { iss: undefined }],
  ])('[RFC9700-2.1-7] of a provider, %s, is a mix-up (RFC 9207)', async (_, changes) => {
    const flow = await started()
    const data = await flow.signInAtProvider('oidc', (await owner()).providerAccount)
    expect((await outcomeOf(await flow.show('oidc', { ...data, ...changes }))).slice(0, 2)).toEqual([
      401,
      'connector.authorization_failed',
    ])
  })

  it('[RFC9700-4.7.1] with another state is refused, and the right one is still accepted', async () => {
    const flow = await started()
    const data = await flow.signInAtProvider('oidc', (await owner()).providerAccount)
    for (const state of ['', 'other', `${flow.uid}.aaaaaaaaaaa`, null, 1, { a: 1 }, [data.state]]) {
      expect(await outcomeOf(await flow.show('oidc', { ...data, state }))).toEqual(notBegun)
    }
    expect((await flow.show('oidc', data)).status).toBe(204)
  })

  it('of another interaction of the same browser leads to that one, and proves nothing in this one', async () => {
    const first = await started()
    const second = await beginSocialInteraction(app, first.client)
    await second.start('SignIn')
    const { providerAccount } = await owner()
    await second.ask('oidc')
    // It returns to the page of the first interaction, although the second was started last.
    const data = await first.signInAtProvider('oidc', providerAccount)
    expect(await outcomeOf(await second.show('oidc', data))).toEqual(notBegun)
    expect((await first.show('oidc', data)).status).toBe(204)
    expect(await outcomeOf(await second.submit())).toEqual([404, 'session.identifier_not_found'])
  })

  it('[ASVS-10.1.2] of another user’s interaction proves nothing: a code injected into another sign-in does not open it', async () => {
    const victim = await started()
    const { providerAccount, id } = await owner()
    const stolen = await victim.signInAtProvider('oidc', providerAccount)
    const thief = await started()
    await thief.ask('oidc')
    expect(await outcomeOf(await thief.show('oidc', stolen))).toEqual(notBegun)
    // Nor with the attacker's own state: the code belongs to the verifier and nonce of its request.
    const own = await thief.signInAtProvider('oidc', await newProviderAccount())
    expect((await outcomeOf(await thief.show('oidc', { ...own, code: stolen.code }))).slice(0, 2)).toEqual([
      401,
      'connector.social_auth_code_invalid',
    ])
    expect(await outcomeOf(await thief.submit())).toEqual([404, 'session.identifier_not_found'])
    expect(await userById(app, id)).toMatchObject({ last_sign_in_at: null })
  })
})

describe('an answer that was used', () => {
  it('has no connector session any more', async () => {
    const flow = await started()
    const data = await flow.signInAtProvider('oidc', (await owner()).providerAccount)
    expect((await flow.show('oidc', data)).status).toBe(204)
    expect(await outcomeOf(await flow.show('oidc', data))).toEqual(notBegun)
  })

  it('is used up by a failure, too', async () => {
    const flow = await started()
    const data = await flow.signInAtProvider('oidc', (await owner()).providerAccount)
    expect((await flow.show('oidc', { ...data, code: 'another' })).status).toBe(401)
    expect(await outcomeOf(await flow.show('oidc', data))).toEqual(notBegun)
  })

  it('finds its session with an older cookie, but the provider refuses the used code', async () => {
    const flow = await started()
    const data = await flow.signInAtProvider('oidc', (await owner()).providerAccount)
    const before = new Map(flow.client.cookies)
    expect((await flow.show('oidc', data)).status).toBe(204)
    for (const [name, cookie] of before) flow.client.cookies.set(name, cookie)
    expect((await outcomeOf(await flow.show('oidc', data))).slice(0, 2)).toEqual([
      401,
      'connector.social_auth_code_invalid',
    ])
  })

  it('is refused once the user is signed in, with any cookie', async () => {
    const flow = await started()
    const data = await flow.signInAtProvider('oidc', (await owner()).providerAccount)
    const before = new Map(flow.client.cookies)
    await flow.show('oidc', data)
    await resumeAuthorization(flow.client, await flow.submit())
    for (const [name, cookie] of before) flow.client.cookies.set(name, cookie)
    expect((await outcomeOf(await flow.show('oidc', data))).slice(0, 2)).toEqual([400, 'session.not_found'])
  })

  it('is refused after another authorization was started', async () => {
    const flow = await started()
    const first = await flow.signInAtProvider('oidc', (await owner()).providerAccount)
    await flow.ask('oidc')
    expect(await outcomeOf(await flow.show('oidc', first))).toEqual(notBegun)
  })

  it('is refused after PUT /interaction', async () => {
    const flow = await started()
    const first = await flow.signInAtProvider('oidc', (await owner()).providerAccount)
    await flow.start('SignIn')
    expect(await outcomeOf(await flow.show('oidc', first))).toEqual(notBegun)
  })
})

describe('a callback in a browser without an authorization', () => {
  it('[RFC9700-4.7.1-2] signs no user in: neither the page nor the call has an interaction', async () => {
    const victim = await started()
    const { providerAccount, id } = await owner()
    const { redirectTo } = (await (await victim.ask('oidc')).json()) as { redirectTo: string }
    const { url } = await answerAt(redirectTo, providerAccount)

    const other = newCookieClient(app)
    const page = await comeBack(other, { url, form: null })
    expect(page.searchParams.get('interaction')).toBe(victim.uid)
    const shown = await other.get(page.pathname + page.search)
    expect([302, 400, 404]).toContain(shown.status)
    if (shown.status === 302) expect(shown.headers.get('location')).toMatch(/^\/unknown-session/)

    const { interaction: _, ...data } = Object.fromEntries(page.searchParams)
    const body = { connectorId: 'oidc', connectorData: data }
    const headers = { Interaction: victim.uid }
    const refused = await other.send('PATCH', '/api/interaction/identifiers', body, headers)
    expect((await outcomeOf(refused)).slice(0, 2)).toEqual([400, 'session.not_found'])
    expect([...other.cookies.keys()]).toEqual([])
    expect(await userById(app, id)).toMatchObject({ last_sign_in_at: null })
  })

  it('with an interaction of its own does not enter the attacker’s account', async () => {
    // The attacker's own answer, in a link that the victim opens.
    const attacker = await started()
    const { providerAccount, id } = await owner()
    const { redirectTo } = (await (await attacker.ask('oidc')).json()) as { redirectTo: string }
    const { url } = await answerAt(redirectTo, providerAccount)

    const victim = await started()
    await victim.ask('oidc')
    const page = await comeBack(victim.client, { url, form: null })
    const { interaction: _, ...data } = Object.fromEntries(page.searchParams)
    expect(await outcomeOf(await victim.show('oidc', data))).toEqual(notBegun)
    expect(await outcomeOf(await victim.submit())).toEqual([404, 'session.identifier_not_found'])
    expect(await userById(app, id)).toMatchObject({ last_sign_in_at: null })
  })
})

describe('linking that is not allowed (spec/interaction#verification)', () => {
  it('an address that the provider has not verified proves nothing, wherever it is claimed', async () => {
    const providerAccount = await newProviderAccount({
      email: freshEmail(),
      phone: '491510009999',
      isVerified: false,
    })
    const target = await addUser(app, {
      email: providerAccount.email ?? '',
      phone: providerAccount.phone ?? '',
    })
    const flow = await started()
    expect((await flow.proveBy('oidc', providerAccount)).status).toBe(204)
    for (const address of [{ email: providerAccount.email }, { phone: providerAccount.phone }]) {
      const claimed = await flow.call('PATCH', '/identifiers', { connectorId: 'oidc', ...address })
      expect(await outcomeOf(claimed)).toEqual([400, 'session.connector_session_not_found'])
    }
    expect(await outcomeOf(await flow.submit())).toEqual([422, 'user.identity_not_exist', {}])
    expect(await userById(app, target)).toMatchObject({ identities: {}, last_sign_in_at: null })
  })

  it('claims that the user adds to the answer are not the provider’s', async () => {
    const target = await addUser(app, { email: freshEmail() })
    const { primary_email: email } = (await userById(app, target)) ?? {}
    const providerAccount = await newProviderAccount()
    const flow = await started()
    const data = await flow.signInAtProvider('oidc', providerAccount)
    const lies = {
      ...data,
      email,
      email_verified: true,
      sub: 'other',
      id_token: 'x.y.z',
      profile: { email },
    }
    expect((await flow.show('oidc', lies)).status).toBe(204)
    expect(await outcomeOf(await flow.submit())).toEqual([422, 'user.identity_not_exist', {}])
    const claimed = await flow.call('PATCH', '/identifiers', { connectorId: 'oidc', email })
    expect(claimed.status).toBe(400)
  })

  it('[ASVS-6.8.1] an identity with the same id at another provider is another identity', async () => {
    const { providerAccount, id } = await owner()
    const flow = await started()
    await flow.proveBy('google', { id: providerAccount.id })
    expect((await outcomeOf(await flow.submit())).slice(0, 2)).toEqual([422, 'user.identity_not_exist'])
    expect(await userById(app, id)).toMatchObject({ last_sign_in_at: null })
  })

  it('an identity and an address of two accounts open neither', async () => {
    const { providerAccount, id } = await owner()
    const address = { email: freshEmail() }
    const other = await addUser(app, address)
    await setExperience(app, {
      methods: [{ identifier: 'email', password: false, verificationCode: true, isPasswordPrimary: false }],
    })
    app = openTestApp()
    const flow = await started()
    await flow.prove(address)
    await flow.proveBy('oidc', providerAccount)
    expect(await outcomeOf(await flow.submit())).toEqual([400, 'session.verification_failed'])
    for (const account of [id, other]) {
      expect(await userById(app, account)).toMatchObject({ last_sign_in_at: null })
    }
  })

  it('a social identity sets no password, neither of its own account nor of another', async () => {
    const { providerAccount, id } = await owner()
    const flow = await beginSocialInteraction(app)
    await flow.start('ForgotPassword')
    const victim = await addUser(app, { email: freshEmail() })
    const { primary_email: email } = (await userById(app, victim)) ?? {}
    const refused = [422, 'user.sign_in_method_not_enabled']
    expect(await outcomeOf(await flow.proveBy('oidc', providerAccount))).toEqual(refused)
    expect(await outcomeOf(await flow.call('PATCH', '/identifiers', { connectorId: 'oidc', email }))).toEqual(
      refused,
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

it('the calls of another site are refused: only /callback accepts a POST from there', async () => {
  const flow = await started()
  const crossSite = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  for (const [method, path] of [
    ['POST', '/verification/social-authorization-uri'],
    ['PATCH', '/identifiers'],
  ] as const) {
    const body = { connectorId: 'oidc', state: 's', redirectUri: ORIGIN, connectorData: {} }
    expect(await outcomeOf(await flow.call(method, path, body, crossSite))).toEqual([403, 'auth.forbidden'])
  }
})
