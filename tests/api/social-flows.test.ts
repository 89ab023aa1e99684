import { beforeAll, describe, expect, it } from 'vitest'
import type { SignUp } from '../../src/contract/experience.ts'
import { freshEmail, freshPhone, told } from '../guest.ts'
import { type House, openHouse } from '../house.ts'
import type { Person } from '../journeys/upstream-people.ts'
import { newOperator } from '../operator.ts'
import {
  addUser,
  arriveSocially,
  installUpstream,
  newPerson,
  type SocialGuest,
  userById,
  userByIdentity,
} from '../social-guest.ts'
import { everyMethod, setExperience, setTenantSettings } from '../tenant.ts'
import { resume } from '../visitor.ts'

/** The flows of contract 2.8 that lead over a provider, call by call, with real providers. */

const nothing: SignUp = { identifiers: [], password: false, verify: false }
const email: SignUp = { identifiers: ['email'], password: true, verify: true }

let base: House
beforeAll(async () => {
  base = openHouse()
  await installUpstream(base, ['oidc', 'oidcFormPost', 'oidcFragment', 'google', 'oauth2', 'github'])
})

/** A house that knows these settings from the first question on. */
async function houseWith(signUp: SignUp): Promise<House> {
  await setExperience(base, { methods: everyMethod, signUp, signInMode: 'SignInAndRegister' })
  return openHouse()
}

async function signingIn(house: House, person: Person, connectorId = 'oidc'): Promise<SocialGuest> {
  const guest = await arriveSocially(house)
  await guest.start('SignIn')
  expect((await guest.proveBy(connectorId, person)).status).toBe(204)
  return guest
}

/** After `user.identity_not_exist`. */
async function register(guest: SocialGuest, connectorId = 'oidc'): Promise<Response> {
  await guest.call('PUT', '/event', { event: 'Register' })
  await guest.call('PATCH', '/profile', { connectorId })
  return guest.submit()
}

const known = () => newPerson({ email: freshEmail(), phone: freshPhone(), isVerified: true })
const identityOf = (person: Person, connectorId = 'oidc') => userByIdentity(base, connectorId, person.id)

describe.each([
  ['oidc', 'oidc'],
  ['oidcFormPost', 'oidcFormPost'],
  ['oidcFragment', 'oidcFragment'],
  ['google', 'google'],
  ['oauth2', 'oauth2'],
  ['github', 'github'],
])('by the connector %s', (connectorId, target) => {
  it('somebody registers, and signs in the next time', async () => {
    const house = await houseWith(nothing)
    const person = await newPerson({
      email: freshEmail(),
      isVerified: true,
      picture: 'https://a.example/ann.png',
    })
    const guest = await signingIn(house, person, connectorId)
    expect((await told(await guest.submit())).slice(0, 2)).toEqual([422, 'user.identity_not_exist'])
    const registered = await register(guest, connectorId)
    expect((await resume(guest.visitor, registered)).searchParams.get('code')).toBeTruthy()

    const user = await userByIdentity(house, target, person.id)
    expect(user).toMatchObject({
      name: person.name,
      avatar: person.picture,
      // Not asked for at sign-up, not taken.
      primary_email: null,
      identities: { [target]: { userId: person.id, details: { id: person.id, email: person.email } } },
    })

    const back = await signingIn(house, person, connectorId)
    expect((await resume(back.visitor, await back.submit())).searchParams.get('code')).toBeTruthy()
    expect((await userByIdentity(house, target, person.id))?.id).toBe(user?.id)
  })
})

describe('what the account is to have', () => {
  it('is filled in from the provider, at registration', async () => {
    const house = await houseWith(email)
    const person = await known()
    const guest = await signingIn(house, person)
    await guest.submit()
    expect((await register(guest)).status).toBe(200)
    expect(await identityOf(person)).toMatchObject({ primary_email: person.email, primary_phone: null })
  })

  it('is filled in from the provider at a sign-in, too', async () => {
    const house = await houseWith(email)
    const person = await known()
    const id = await addUser(house, { identity: ['oidc', person.id] })
    expect((await (await signingIn(house, person)).submit()).status).toBe(200)
    expect(await userById(house, id)).toMatchObject({ primary_email: person.email })
  })

  it('is asked for where the provider does not vouch for its address', async () => {
    const house = await houseWith(email)
    const person = await newPerson({ email: freshEmail(), isVerified: false })
    const guest = await signingIn(house, person)
    await guest.submit()
    const missing = { missingProfile: ['email'] }
    expect(await told(await register(guest))).toEqual([422, 'user.missing_profile', missing])

    // Typing that very address proves it.
    const address = { email: person.email ?? '' }
    await guest.prove(address)
    await guest.call('PATCH', '/profile', address)
    expect((await guest.submit()).status).toBe(200)
    expect(await identityOf(person)).toMatchObject({ primary_email: person.email })
  })

  it.each([
    ['friendly', true],
    ['hidden', false],
  ] as const)(
    'is asked for where somebody else has the address; with %s accounts it is said: %s',
    async (accountExistence, isSaid) => {
      const house = await houseWith(email)
      await setTenantSettings(house, { accountExistence })
      const fresh = openHouse()
      const person = await known()
      const id = await addUser(fresh, { identity: ['oidc', person.id] })
      const other = await addUser(fresh, { email: person.email ?? '' })
      expect(await told(await (await signingIn(fresh, person)).submit())).toEqual([
        422,
        'user.missing_profile',
        {
          missingProfile: ['email'],
          ...(isSaid && { registeredSocialIdentity: { email: person.email } }),
        },
      ])
      expect(await userById(fresh, id)).toMatchObject({ primary_email: null, last_sign_in_at: null })
      expect((await userById(fresh, other))?.identities).toEqual({})
      await setTenantSettings(house, {})
    },
  )

  it('is not asked for as a password', async () => {
    const house = await houseWith({ ...nothing, password: true })
    const guest = await signingIn(house, await newPerson())
    await guest.submit()
    expect((await register(guest)).status).toBe(200)
  })
})

describe('binding', () => {
  it('to an account whose address was just proved, when it turned out to be taken', async () => {
    const house = await houseWith(email)
    const address = { email: freshEmail() }
    const owner = await addUser(house, { ...address, identity: ['google', 'her-google'] })
    const person = await newPerson({ email: freshEmail(), isVerified: false })
    const guest = await signingIn(house, person)
    await guest.submit()
    expect((await told(await register(guest))).slice(0, 2)).toEqual([422, 'user.missing_profile'])
    await guest.prove(address)
    await guest.call('PATCH', '/profile', address)
    expect(await told(await guest.submit())).toEqual([422, 'user.email_already_in_use'])

    await guest.call('PUT', '/event', { event: 'SignIn' })
    await guest.call('PUT', '/profile', { connectorId: 'oidc' })
    expect((await guest.submit()).status).toBe(200)
    expect(await userById(house, owner)).toMatchObject({
      identities: { google: { userId: 'her-google' }, oidc: { userId: person.id } },
    })
  })

  it('to an account that a password opens', async () => {
    const house = await houseWith(nothing)
    const person = await newPerson()
    const guest = await signingIn(house, person)
    const address = { email: freshEmail() }
    const owner = await addUser(house, address)
    await guest.prove(address)
    // While the profile does not name it, the identity is to be an account's.
    expect((await told(await guest.submit())).slice(0, 2)).toEqual([422, 'user.identity_not_exist'])
    await guest.call('PATCH', '/profile', { connectorId: 'oidc' })
    expect((await guest.submit()).status).toBe(200)
    expect((await identityOf(person))?.id).toBe(owner)
  })

  it('is refused for an identity that is somebody’s, and changes neither account', async () => {
    const house = await houseWith(nothing)
    const person = await newPerson()
    const owner = await addUser(house, { identity: ['oidc', person.id] })
    const address = { email: freshEmail() }
    const other = await addUser(house, address)
    const guest = await signingIn(house, person)
    await guest.prove(address)
    expect(await told(await guest.submit())).toEqual([400, 'session.verification_failed'])
    await guest.call('PATCH', '/profile', { connectorId: 'oidc' })
    expect(await told(await guest.submit())).toEqual([422, 'user.identity_already_in_use'])
    expect((await identityOf(person))?.id).toBe(owner)
    expect(await userById(house, other)).toMatchObject({ identities: {}, last_sign_in_at: null })
  })

  it('at the same time twice makes one account', async () => {
    const house = await houseWith(nothing)
    const person = await newPerson()
    const guests = await Promise.all([signingIn(house, person), signingIn(house, person)])
    for (const guest of guests) {
      await guest.call('PUT', '/event', { event: 'Register' })
      await guest.call('PATCH', '/profile', { connectorId: 'oidc' })
    }
    const answers = await Promise.all(
      guests.map(async (guest) => (await told(await guest.submit())).slice(0, 2)),
    )
    expect(answers.sort()).toEqual([
      [200, null],
      [422, 'user.identity_already_in_use'],
    ])
    expect(await identityOf(person)).not.toBeNull()
  })
})

describe('name and picture', () => {
  it.each([
    { syncProfile: true, name: 'Ann Lovelace', avatar: 'https://a.example/new.png' },
    { syncProfile: false, name: 'Old Name', avatar: null },
  ])('of the account after a sign-in with syncProfile $syncProfile', async ({ syncProfile, ...expected }) => {
    const operator = await newOperator(base)
    expect((await operator.send('PATCH', '/connectors/oidc', { syncProfile })).status).toBe(200)
    const house = await houseWith(nothing)
    const person = await newPerson({ picture: 'https://a.example/new.png' })
    const id = await addUser(house, { identity: ['oidc', person.id] })
    await house.env.DB.prepare("update users set name = 'Old Name' where id = ?").bind(id).run()
    expect((await (await signingIn(house, person)).submit()).status).toBe(200)
    expect(await userById(house, id)).toMatchObject({
      ...expected,
      // What was known when it was linked stays.
      identities: { oidc: { userId: person.id, details: { id: person.id } } },
    })
  })
})

it('cancelling a pending profile takes what was begun with it', async () => {
  const house = await houseWith(nothing)
  const person = await newPerson()
  const guest = await signingIn(house, person)
  await guest.submit()
  await guest.call('PUT', '/event', { event: 'Register' })
  await guest.call('PATCH', '/profile', { connectorId: 'oidc' })
  const data = await guest.visit('oidc', person)
  expect((await guest.call('DELETE', '/profile')).status).toBe(204)

  expect(await told(await guest.show('oidc', data))).toEqual([
    400,
    'session.connector_validation_session_not_found',
  ])
  expect(await told(await guest.submit())).toEqual([422, 'user.missing_profile'])
  expect(await identityOf(person)).toBeNull()
})

it('a suspended account is not entered', async () => {
  const house = await houseWith(nothing)
  const person = await known()
  const id = await addUser(house, { identity: ['oidc', person.id] })
  await house.env.DB.prepare('update users set is_suspended = 1 where id = ?').bind(id).run()
  const guest = await signingIn(house, person)
  expect(await told(await guest.submit())).toEqual([401, 'user.suspended'])

  // Nor one that the provider's address leads to.
  const related = await newPerson({ email: freshEmail(), isVerified: true })
  const other = await addUser(house, { email: related.email ?? '' })
  await house.env.DB.prepare('update users set is_suspended = 1 where id = ?').bind(other).run()
  const binding = await signingIn(house, related)
  await binding.call('PATCH', '/identifiers', { connectorId: 'oidc', email: related.email })
  await binding.call('PATCH', '/profile', { connectorId: 'oidc' })
  expect(await told(await binding.submit())).toEqual([401, 'user.suspended'])
  expect(await identityOf(related)).toBeNull()
})

describe('two connectors in one interaction', () => {
  it('the last one that was begun is the one to come back from', async () => {
    const guest = await arriveSocially(await houseWith(nothing))
    await guest.start('SignIn')
    const person = await newPerson()
    const first = await guest.visit('oidc', person)
    const second = await guest.visit('google', person)
    expect(await told(await guest.show('oidc', first))).toEqual([
      400,
      'session.connector_validation_session_not_found',
    ])
    expect((await guest.show('google', second)).status).toBe(204)
  })

  it('the second identity takes the place of the first, and what named the first is refused', async () => {
    const house = await houseWith(nothing)
    const person = await newPerson()
    const guest = await signingIn(house, person)
    await guest.call('PATCH', '/profile', { connectorId: 'oidc' })
    expect((await guest.proveBy('google', person)).status).toBe(204)
    await guest.call('PUT', '/event', { event: 'Register' })
    expect(await told(await guest.submit())).toEqual([404, 'session.connector_session_not_found'])
    await guest.call('PATCH', '/profile', { connectorId: 'google' })
    expect((await guest.submit()).status).toBe(200)
    expect(Object.keys((await identityOf(person, 'google'))?.identities ?? {})).toEqual(['google'])
  })
})

describe('a connector that was removed meanwhile', () => {
  let house: House
  beforeAll(async () => {
    house = await houseWith(nothing)
  })
  const remove = () => house.env.DB.prepare("delete from connectors where id = 'oauth2'").run()
  it('proves nothing any more, and what it proved leads nowhere', async () => {
    const proving = await signingIn(house, await newPerson(), 'oauth2')
    const returning = await arriveSocially(house)
    await returning.start('SignIn')
    const data = await returning.visit('oauth2', await newPerson())
    await remove()

    expect(await told(await returning.show('oauth2', data))).toEqual([
      422,
      'session.invalid_connector_id',
      { connectorId: 'oauth2' },
    ])
    // Settings may be some seconds old (decision 32): another house has not read them yet.
    const later = openHouse()
    const submit = () =>
      later.fetch('/api/interaction/submit', { method: 'POST', headers: cookiesOf(proving) })
    expect(await told(await submit())).toEqual([404, 'entity.not_found'])
    await proving.call('PUT', '/event', { event: 'Register' })
    await proving.call('PATCH', '/profile', { connectorId: 'oauth2' })
    expect(await told(await submit())).toEqual([404, 'entity.not_found'])
  })
})

const cookiesOf = ({ visitor, uid }: SocialGuest) => ({
  Interaction: uid,
  cookie: [...visitor.cookies].map(([name, { value }]) => `${name.split(' ')[0]}=${value}`).join('; '),
})
