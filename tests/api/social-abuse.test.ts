import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, told } from '../guest.ts'
import { type House, openHouse } from '../house.ts'
import { answerAt } from '../journeys/upstream-walk.ts'
import {
  addUser,
  arriveSocially,
  comeBack,
  installUpstream,
  newPerson,
  type SocialGuest,
  userById,
} from '../social-guest.ts'
import { setExperience } from '../tenant.ts'
import { newVisitor, ORIGIN, resume } from '../visitor.ts'

/** What somebody tries who wants another's account, or another to be in theirs. */

let house: House
beforeAll(async () => {
  house = openHouse()
  await setExperience(house, { signUp: { identifiers: [], password: false, verify: false } })
  await installUpstream(house, ['oidc', 'oauth2', 'google'])
})

async function started(): Promise<SocialGuest> {
  const guest = await arriveSocially(house)
  await guest.start('SignIn')
  return guest
}

/** Somebody with an account that their identity opens. */
async function owner() {
  const person = await newPerson({ email: freshEmail(), isVerified: true })
  return { person, id: await addUser(house, { identity: ['oidc', person.id] }) }
}

const notBegun = [400, 'session.connector_validation_session_not_found']

describe('an answer that belongs elsewhere', () => {
  it('of one connector is not taken by another, in either way', async () => {
    const guest = await started()
    const { person } = await owner()
    const data = await guest.visit('oidc', person)
    expect(await told(await guest.show('oauth2', data))).toEqual(notBegun)
    expect(await told(await guest.show('google', data))).toEqual(notBegun)
    // The one that was begun has lost nothing by it.
    expect((await guest.show('oidc', data)).status).toBe(204)
  })

  it('that comes to the callback of another connector is shown there, and refused', async () => {
    const guest = await started()
    const { person } = await owner()
    const { redirectTo } = (await (await guest.ask('oidc')).json()) as { redirectTo: string }
    const { url } = await answerAt(redirectTo, person)
    const page = await comeBack(guest.visitor, {
      url: new URL(url.href.replace('/callback/oidc', '/callback/google')),
      form: null,
    })
    expect(page.pathname).toBe('/sign-in/social/google')
    const { interaction, ...data } = Object.fromEntries(page.searchParams)
    expect(interaction).toBe(guest.uid)
    expect(await told(await guest.show('google', data))).toEqual(notBegun)
  })

  it.each([
    ['of another issuer', { iss: 'https://other.example' }],
    ['of an issuer it does not name', { iss: undefined }],
  ])('of a provider, %s, is a mix-up (RFC 9207)', async (_, changes) => {
    const guest = await started()
    const data = await guest.visit('oidc', (await owner()).person)
    expect((await told(await guest.show('oidc', { ...data, ...changes }))).slice(0, 2)).toEqual([
      401,
      'connector.authorization_failed',
    ])
  })

  it('with another state is refused, and the right one can still come', async () => {
    const guest = await started()
    const data = await guest.visit('oidc', (await owner()).person)
    for (const state of ['', 'other', `${guest.uid}.aaaaaaaaaaa`, null, 1, { a: 1 }, [data.state]]) {
      expect(await told(await guest.show('oidc', { ...data, state }))).toEqual(notBegun)
    }
    expect((await guest.show('oidc', data)).status).toBe(204)
  })

  it('of another interaction of the same browser leads to that one, and proves nothing in this one', async () => {
    const first = await started()
    const second = await arriveSocially(house, first.visitor)
    await second.start('SignIn')
    const { person } = await owner()
    await second.ask('oidc')
    // The page it comes back to is the first one's, although the second was the last to begin.
    const data = await first.visit('oidc', person)
    expect(await told(await second.show('oidc', data))).toEqual(notBegun)
    expect((await first.show('oidc', data)).status).toBe(204)
    expect(await told(await second.submit())).toEqual([404, 'session.identifier_not_found'])
  })

  it('of somebody else’s interaction proves nothing: a code put into another sign-in does not open it', async () => {
    const victim = await started()
    const { person, id } = await owner()
    const stolen = await victim.visit('oidc', person)
    const thief = await started()
    await thief.ask('oidc')
    expect(await told(await thief.show('oidc', stolen))).toEqual(notBegun)
    // Nor with the thief's own state: the code belongs to the verifier and nonce of who asked for it.
    const own = await thief.visit('oidc', await newPerson())
    expect((await told(await thief.show('oidc', { ...own, code: stolen.code }))).slice(0, 2)).toEqual([
      401,
      'connector.social_auth_code_invalid',
    ])
    expect(await told(await thief.submit())).toEqual([404, 'session.identifier_not_found'])
    expect(await userById(house, id)).toMatchObject({ last_sign_in_at: null })
  })
})

describe('an answer that was used', () => {
  it('is not begun any more', async () => {
    const guest = await started()
    const data = await guest.visit('oidc', (await owner()).person)
    expect((await guest.show('oidc', data)).status).toBe(204)
    expect(await told(await guest.show('oidc', data))).toEqual(notBegun)
  })

  it('is used by a failure, too', async () => {
    const guest = await started()
    const data = await guest.visit('oidc', (await owner()).person)
    expect((await guest.show('oidc', { ...data, code: 'another' })).status).toBe(401)
    expect(await told(await guest.show('oidc', data))).toEqual(notBegun)
  })

  it('is begun in an older cookie, where the provider refuses the code it has given tokens for', async () => {
    const guest = await started()
    const data = await guest.visit('oidc', (await owner()).person)
    const before = new Map(guest.visitor.cookies)
    expect((await guest.show('oidc', data)).status).toBe(204)
    for (const [name, cookie] of before) guest.visitor.cookies.set(name, cookie)
    expect((await told(await guest.show('oidc', data))).slice(0, 2)).toEqual([
      401,
      'connector.social_auth_code_invalid',
    ])
  })

  it('leads nowhere once the visitor is signed in, with whatever cookie', async () => {
    const guest = await started()
    const data = await guest.visit('oidc', (await owner()).person)
    const before = new Map(guest.visitor.cookies)
    await guest.show('oidc', data)
    await resume(guest.visitor, await guest.submit())
    for (const [name, cookie] of before) guest.visitor.cookies.set(name, cookie)
    expect((await told(await guest.show('oidc', data))).slice(0, 2)).toEqual([400, 'session.not_found'])
  })

  it('and beginning again makes the state before worthless', async () => {
    const guest = await started()
    const first = await guest.visit('oidc', (await owner()).person)
    await guest.ask('oidc')
    expect(await told(await guest.show('oidc', first))).toEqual(notBegun)
  })

  it('as PUT /interaction does', async () => {
    const guest = await started()
    const first = await guest.visit('oidc', (await owner()).person)
    await guest.start('SignIn')
    expect(await told(await guest.show('oidc', first))).toEqual(notBegun)
  })
})

describe('a callback in a browser that began nothing', () => {
  it('signs nobody in: neither the page nor the call has an interaction', async () => {
    const victim = await started()
    const { person, id } = await owner()
    const { redirectTo } = (await (await victim.ask('oidc')).json()) as { redirectTo: string }
    const { url } = await answerAt(redirectTo, person)

    const stranger = newVisitor(house)
    const page = await comeBack(stranger, { url, form: null })
    expect(page.searchParams.get('interaction')).toBe(victim.uid)
    const shown = await stranger.get(page.pathname + page.search)
    expect([302, 400, 404]).toContain(shown.status)
    if (shown.status === 302) expect(shown.headers.get('location')).toMatch(/^\/unknown-session/)

    const { interaction: _, ...data } = Object.fromEntries(page.searchParams)
    const body = { connectorId: 'oidc', connectorData: data }
    const headers = { Interaction: victim.uid }
    const refused = await stranger.send('PATCH', '/api/interaction/identifiers', body, headers)
    expect((await told(refused)).slice(0, 2)).toEqual([400, 'session.not_found'])
    expect([...stranger.cookies.keys()]).toEqual([])
    expect(await userById(house, id)).toMatchObject({ last_sign_in_at: null })
  })

  it('that has an interaction of its own stays who they are: nobody is put into another’s account', async () => {
    // The attacker's own answer, in a link for the victim.
    const attacker = await started()
    const { person, id } = await owner()
    const { redirectTo } = (await (await attacker.ask('oidc')).json()) as { redirectTo: string }
    const { url } = await answerAt(redirectTo, person)

    const victim = await started()
    await victim.ask('oidc')
    const page = await comeBack(victim.visitor, { url, form: null })
    const { interaction: _, ...data } = Object.fromEntries(page.searchParams)
    expect(await told(await victim.show('oidc', data))).toEqual(notBegun)
    expect(await told(await victim.submit())).toEqual([404, 'session.identifier_not_found'])
    expect(await userById(house, id)).toMatchObject({ last_sign_in_at: null })
  })
})

describe('linking that contract 2 does not allow', () => {
  it('an address the provider has not vouched for proves nothing, in whatever place it is claimed', async () => {
    const person = await newPerson({ email: freshEmail(), phone: '491510009999', isVerified: false })
    const target = await addUser(house, { email: person.email ?? '', phone: person.phone ?? '' })
    const guest = await started()
    expect((await guest.proveBy('oidc', person)).status).toBe(204)
    for (const address of [{ email: person.email }, { phone: person.phone }]) {
      const claimed = await guest.call('PATCH', '/identifiers', { connectorId: 'oidc', ...address })
      expect(await told(claimed)).toEqual([400, 'session.connector_session_not_found'])
    }
    expect(await told(await guest.submit())).toEqual([422, 'user.identity_not_exist', {}])
    expect(await userById(house, target)).toMatchObject({ identities: {}, last_sign_in_at: null })
  })

  it('what the visitor adds to the answer is not the provider’s word', async () => {
    const target = await addUser(house, { email: freshEmail() })
    const { primary_email: email } = (await userById(house, target)) ?? {}
    const person = await newPerson()
    const guest = await started()
    const data = await guest.visit('oidc', person)
    const lies = {
      ...data,
      email,
      email_verified: true,
      sub: 'somebody',
      id_token: 'x.y.z',
      profile: { email },
    }
    expect((await guest.show('oidc', lies)).status).toBe(204)
    expect(await told(await guest.submit())).toEqual([422, 'user.identity_not_exist', {}])
    const claimed = await guest.call('PATCH', '/identifiers', { connectorId: 'oidc', email })
    expect(claimed.status).toBe(400)
  })

  it('an identity of the same number at another provider is another identity', async () => {
    const { person, id } = await owner()
    const guest = await started()
    await guest.proveBy('google', { id: person.id })
    expect((await told(await guest.submit())).slice(0, 2)).toEqual([422, 'user.identity_not_exist'])
    expect(await userById(house, id)).toMatchObject({ last_sign_in_at: null })
  })

  it('an identity and an address of two accounts open neither', async () => {
    const { person, id } = await owner()
    const address = { email: freshEmail() }
    const other = await addUser(house, address)
    await setExperience(house, {
      methods: [{ identifier: 'email', password: false, verificationCode: true, isPasswordPrimary: false }],
    })
    house = openHouse()
    const guest = await started()
    await guest.prove(address)
    await guest.proveBy('oidc', person)
    expect(await told(await guest.submit())).toEqual([400, 'session.verification_failed'])
    for (const account of [id, other]) {
      expect(await userById(house, account)).toMatchObject({ last_sign_in_at: null })
    }
  })

  it('a social identity does not set the password of another account', async () => {
    const { person, id } = await owner()
    const guest = await arriveSocially(house)
    await guest.start('ForgotPassword')
    const victim = await addUser(house, { email: freshEmail() })
    const { primary_email: email } = (await userById(house, victim)) ?? {}
    await guest.proveBy('oidc', person)
    expect((await guest.call('PATCH', '/identifiers', { connectorId: 'oidc', email })).status).toBe(400)
    await guest.call('PATCH', '/profile', { password: 'correct-horse-7' })
    expect((await guest.submit()).status).toBe(204)
    const { results } = await env.DB.prepare(
      'select id from users where id in (?, ?) and password_encrypted is not null',
    )
      .bind(id, victim)
      .all()
    expect(results).toEqual([{ id }])
  })
})

it('the calls of another site are refused: only /callback takes a post from there', async () => {
  const guest = await started()
  const crossSite = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  for (const [method, path] of [
    ['POST', '/verification/social-authorization-uri'],
    ['PATCH', '/identifiers'],
  ] as const) {
    const body = { connectorId: 'oidc', state: 's', redirectUri: ORIGIN, connectorData: {} }
    expect(await told(await guest.call(method, path, body, crossSite))).toEqual([403, 'auth.forbidden'])
  }
})
