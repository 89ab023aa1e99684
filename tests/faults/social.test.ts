import { beforeAll, describe, it } from 'vitest'
import { freshEmail } from '../guest.ts'
import { openHouse } from '../house.ts'
import type { Person } from '../journeys/upstream-people.ts'
import { answerAt } from '../journeys/upstream-walk.ts'
import type { Receiver } from '../receiver.ts'
import { comeBack, installUpstream, newPerson } from '../social-guest.ts'
import { everyMethod, setExperience } from '../tenant.ts'
import { ORIGIN } from '../visitor.ts'
import { type Account, expectAllTold, hookedReceiver, newAccount, overtaken, SETUP_MS } from './household.ts'
import { accountProblems, count } from './ledger.ts'
import { type Guest, type Proving, patiently, signInFor } from './person.ts'
import { tryEvery } from './trial.ts'
import type { World } from './world.ts'

const kinds = ['refused', 'lost', 'killed'] as const
const connectorId = 'oidc'

/** Whoever was on their way to the provider, or back, goes there once more. */
const mayHear = [
  ...overtaken,
  'session.connector_session_not_found',
  'connector.social_auth_code_invalid',
  'user.identity_not_exist',
  'user.identity_already_in_use',
]

let receiver: Receiver
beforeAll(async () => {
  receiver = await hookedReceiver(['PostRegister', 'PostSignIn'])
  const house = openHouse()
  await installUpstream(house, [connectorId])
  await setExperience(house, {
    methods: everyMethod,
    signUp: { identifiers: [], password: false, verify: false },
    signInMode: 'SignInAndRegister',
  })
}, SETUP_MS)

/** To the provider and back. */
async function show({ visitor }: World, guest: Guest, person: Person): Promise<boolean> {
  const state = `${guest.uid}.${crypto.randomUUID()}`
  const redirectUri = `${ORIGIN}/callback/${connectorId}`
  const asked = await guest.call('POST', '/verification/social-authorization-uri', {
    connectorId,
    state,
    redirectUri,
  })
  if (!asked.ok) return false
  const { redirectTo } = (await asked.json()) as { redirectTo: string }
  const way = await answerAt(redirectTo, person)
  const page = await comeBack({ ...visitor, get: (path) => patiently(() => visitor.get(path)) }, way)
  const { interaction: _uid, ...connectorData } = Object.fromEntries(page.searchParams)
  return (await guest.call('PATCH', '/identifiers', { connectorId, connectorData })).ok
}

/** Signs in; without an account, registers, or links the one of the same address. */
function withPerson(world: World, person: Person, links: boolean): Proving {
  return async (guest) => {
    if (!(await guest.call('PUT', '', { event: 'SignIn' })).ok) return 'again'
    if (!(await show(world, guest, person))) return 'again'
    const submitted = await guest.call('POST', '/submit')
    if (submitted.status !== 422) return submitted
    if (!links && !(await guest.call('PUT', '/event', { event: 'Register' })).ok) return 'again'
    if (links && !(await guest.call('PATCH', '/identifiers', { connectorId, email: person.email })).ok)
      return 'again'
    if (!(await guest.call('PATCH', '/profile', { connectorId })).ok) return 'again'
    return guest.call('POST', '/submit')
  }
}

const identities = async ({ id }: Person) =>
  (await count('user_identities where identity_id = ?', id)) === 1 ? [] : ['not one identity']

describe('registering by a social provider', () => {
  tryEvery<Person, string>(
    {
      mayHear,
      mustHear: ['user.identity_not_exist'],
      before: () => newPerson({ email: freshEmail(), isVerified: true }),
      make: async (world, person) => (await signInFor(world, withPerson(world, person, false))).userId,
      problems: async (userId, person, world) => [
        ...(await identities(person)),
        ...(await accountProblems(userId, world, { registered: true })),
      ],
    },
    kinds,
  )
})

describe('linking a social provider to the account of the same address', () => {
  tryEvery<Account & { person: Person }, string>(
    {
      mayHear,
      mustHear: ['user.identity_not_exist'],
      async before() {
        const account = await newAccount()
        return { ...account, person: await newPerson({ email: account.email, isVerified: true }) }
      },
      make: async (world, { person }) => (await signInFor(world, withPerson(world, person, true))).userId,
      problems: async (userId, { id, person }, world) => [
        ...(userId === id ? [] : ['is somebody else']),
        ...(await identities(person)),
        ...(await accountProblems(userId, world)),
      ],
    },
    kinds,
  )
})

describe('who waits for all this', () => {
  it('is told of each in the end, each under one name', () => expectAllTold(receiver), SETUP_MS)
})
