import { beforeAll, describe, it } from 'vitest'
import { codeTo, freshEmail } from '../guest.ts'
import { openHouse } from '../house.ts'
import type { Receiver } from '../receiver.ts'
import { everyMethod, setExperience } from '../tenant.ts'
import { freshName, PASSWORD } from '../visitor.ts'
import { type Account, expectAllTold, hookedReceiver, newAccount, overtaken, SETUP_MS } from './household.ts'
import { accountProblems, count } from './ledger.ts'
import { type Guest, type Proving, signInFor, signingIn } from './person.ts'
import { tryEvery } from './trial.ts'

const kinds = ['refused', 'lost', 'late', 'killed'] as const
const NEW_PASSWORD = 'another-horse-8'

/** A code that was used up by a try whose answer was lost is used up: one asks for another. */
const mayHear = [...overtaken, 'verification_code.not_found']

let receiver: Receiver
beforeAll(async () => {
  receiver = await hookedReceiver(['PostRegister', 'PostSignIn', 'PostResetPassword'])
  await setExperience(openHouse(), { methods: everyMethod })
}, SETUP_MS)

/** True when the address has been proved. */
async function prove(guest: Guest, event: string, email: string): Promise<boolean> {
  if (!(await guest.call('PUT', '', { event })).ok) return false
  if (!(await guest.call('POST', '/verification/verification-code', { email })).ok) return false
  const verificationCode = await codeTo(openHouse(), { email })
  return (await guest.call('PATCH', '/identifiers', { email, verificationCode })).ok
}

/** Whoever hears that there is an account signs in to it. */
function byCode(event: 'SignIn' | 'Register', email: string, profile?: object): Proving {
  let isThere = event === 'SignIn'
  return async (guest) => {
    if (!(await prove(guest, isThere ? 'SignIn' : 'Register', email))) return 'again'
    if (!isThere && !(await guest.call('PATCH', '/profile', { email, ...profile })).ok) return 'again'
    const submitted = await guest.call('POST', '/submit')
    isThere ||= submitted.status === 422
    return submitted
  }
}

describe('registering with a code', () => {
  beforeAll(() =>
    setExperience(openHouse(), {
      methods: everyMethod,
      signUp: { identifiers: ['email'], password: false, verify: true },
    }),
  )
  tryEvery<string, string>(
    {
      mayHear: [...mayHear, 'user.email_already_in_use'],
      before: async () => freshEmail(),
      make: async (world, email) => (await signInFor(world, byCode('Register', email))).userId,
      problems: async (userId, email, world) => [
        ...((await count('users where primary_email = ?', email)) === 1 ? [] : ['not one user']),
        ...(await accountProblems(userId, world, { registered: true })),
      ],
    },
    kinds,
  )
})

describe('registering with a code, and filling in a name and a password', () => {
  beforeAll(() =>
    setExperience(openHouse(), {
      methods: everyMethod,
      signUp: { identifiers: ['username', 'email'], password: true, verify: true },
    }),
  )
  tryEvery<{ email: string; username: string }, string>(
    {
      mayHear: [...mayHear, 'user.email_already_in_use', 'user.username_already_in_use'],
      before: async () => ({ email: freshEmail(), username: freshName() }),
      make: async (world, { email, username }) =>
        (await signInFor(world, byCode('Register', email, { username, password: PASSWORD }))).userId,
      problems: async (userId, { email, username }, world) => [
        ...((await count('users where primary_email = ? and username = ?', email, username)) === 1
          ? []
          : ['not one user']),
        ...(await accountProblems(userId, world, { registered: true })),
      ],
    },
    ['refused', 'lost', 'killed'],
  )
})

describe('signing in with a code', () => {
  tryEvery<Account, string>(
    {
      mayHear,
      before: () => newAccount(),
      make: async (world, { email }) => (await signInFor(world, byCode('SignIn', email))).userId,
      problems: async (userId, _before, world) => accountProblems(userId, world),
    },
    ['refused', 'lost', 'killed'],
  )
})

describe('a new password in place of a forgotten one', () => {
  /** Whoever hears that it is the same has it already. */
  function resetting(email: string): Proving {
    const signIn = signingIn({ email }, NEW_PASSWORD)
    let isReset = false
    return async (guest) => {
      if (!isReset) {
        if (!(await prove(guest, 'ForgotPassword', email))) return 'again'
        if (!(await guest.call('PUT', '/profile', { password: NEW_PASSWORD })).ok) return 'again'
        const { status } = await guest.call('POST', '/submit')
        isReset = status === 204 || status === 422
        if (!isReset) return 'again'
      }
      return signIn(guest)
    }
  }
  tryEvery<Account, string>(
    {
      mayHear: [...mayHear, 'user.same_password'],
      before: () => newAccount(),
      make: async (world, { email }) => (await signInFor(world, resetting(email))).userId,
      problems: async (userId, _before, world) => [
        ...(await accountProblems(userId, world)),
        ...((await count(
          "outbox where event = 'PostResetPassword' and json_extract(payload, '$.userId') = ?",
          userId,
        )) === 1
          ? []
          : ['the reset was not announced once']),
      ],
    },
    kinds,
  )
})

describe('who waits for all this', () => {
  it('is told of each in the end, each under one name', () => expectAllTold(receiver), SETUP_MS)
})
