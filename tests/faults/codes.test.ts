import { beforeAll, describe, it } from 'vitest'
import { freshName, PASSWORD } from '../kit/clients/cookie-client.ts'
import { codeTo, freshEmail } from '../kit/clients/interaction-client.ts'
import type { Receiver } from '../kit/receiver.ts'
import { type StoredAccount, storeAccount } from '../kit/stored-account.ts'
import { everyMethod, setExperience } from '../kit/tenant-settings.ts'
import { openTestApp } from '../kit/test-app.ts'
import {
  callsOfSignIn,
  expectAllDelivered,
  hookedReceiver,
  overtakenCodes,
  SETUP_MS,
} from './account-fixtures.ts'
import { accountProblems, rowCount } from './account-invariants.ts'
import { testEveryFault } from './every-fault.ts'
import { type PatientClient, type ProofSteps, signInFor, signingIn } from './patient-client.ts'

const kinds = ['refused', 'lost', 'late', 'killed'] as const
const NEW_PASSWORD = 'another-horse-8'

/** An attempt uses up the code even if its response is lost. The user then requests another code. */
const allowedCodes = [...overtakenCodes, 'verification_code.not_found']

let receiver: Receiver
beforeAll(async () => {
  receiver = await hookedReceiver(['PostRegister', 'PostSignIn', 'PostResetPassword'])
  await setExperience(openTestApp(), { methods: everyMethod })
}, SETUP_MS)

/** Reports whether the user has verified the address. */
async function prove(interaction: PatientClient, event: string, email: string): Promise<boolean> {
  if (!(await interaction.call('PUT', '', { event })).ok) return false
  if (!(await interaction.call('POST', '/verification/verification-code', { email })).ok) return false
  const verificationCode = await codeTo(openTestApp(), { email })
  return (await interaction.call('PATCH', '/identifiers', { email, verificationCode })).ok
}

/** Registers the user, or signs in if an earlier call has already created the account. */
function byCode(event: 'SignIn' | 'Register', email: string, profile?: object): ProofSteps {
  let exists = event === 'SignIn'
  return async (interaction) => {
    if (!(await prove(interaction, exists ? 'SignIn' : 'Register', email))) return 'again'
    if (!exists && !(await interaction.call('PATCH', '/profile', { email, ...profile })).ok) return 'again'
    const submitted = await interaction.call('POST', '/submit')
    exists ||= submitted.status === 422
    return submitted
  }
}

describe('registering with a code', () => {
  beforeAll(() =>
    setExperience(openTestApp(), {
      methods: everyMethod,
      signUp: { identifiers: ['email'], password: false, verify: true },
    }),
  )
  testEveryFault<string, string>(
    {
      elsewhere: callsOfSignIn,
      allowedCodes: [...allowedCodes, 'user.email_already_in_use'],
      before: async () => freshEmail(),
      make: async (faulty, email) => (await signInFor(faulty, byCode('Register', email))).userId,
      problems: async (userId, email, faulty) => [
        ...((await rowCount('users where primary_email = ?', email)) === 1 ? [] : ['not one user']),
        ...(await accountProblems(userId, faulty, { registered: true })),
      ],
    },
    kinds,
  )
})

describe('registering with a code, and filling in a name and a password', () => {
  beforeAll(() =>
    setExperience(openTestApp(), {
      methods: everyMethod,
      signUp: { identifiers: ['username', 'email'], password: true, verify: true },
    }),
  )
  testEveryFault<{ email: string; username: string }, string>(
    {
      elsewhere: callsOfSignIn,
      allowedCodes: [...allowedCodes, 'user.email_already_in_use', 'user.username_already_in_use'],
      before: async () => ({ email: freshEmail(), username: freshName() }),
      make: async (faulty, { email, username }) =>
        (await signInFor(faulty, byCode('Register', email, { username, password: PASSWORD }))).userId,
      problems: async (userId, { email, username }, faulty) => [
        ...((await rowCount('users where primary_email = ? and username = ?', email, username)) === 1
          ? []
          : ['not one user']),
        ...(await accountProblems(userId, faulty, { registered: true })),
      ],
    },
    ['refused', 'lost', 'killed'],
  )
})

describe.concurrent('signing in with a code', () => {
  testEveryFault<StoredAccount, string>(
    {
      elsewhere: callsOfSignIn,
      allowedCodes,
      before: () => storeAccount(),
      make: async (faulty, { email }) => (await signInFor(faulty, byCode('SignIn', email))).userId,
      problems: async (userId, _before, faulty) => accountProblems(userId, faulty),
    },
    ['refused', 'lost', 'killed'],
  )
})

describe.concurrent('resetting a forgotten password', () => {
  /** If the password is rejected as unchanged, an earlier call has already set it. */
  function resetting(email: string): ProofSteps {
    const signIn = signingIn({ email }, NEW_PASSWORD)
    let isReset = false
    return async (interaction) => {
      if (!isReset) {
        if (!(await prove(interaction, 'ForgotPassword', email))) return 'again'
        if (!(await interaction.call('PUT', '/profile', { password: NEW_PASSWORD })).ok) return 'again'
        const { status } = await interaction.call('POST', '/submit')
        isReset = status === 204 || status === 422
        if (!isReset) return 'again'
      }
      return signIn(interaction)
    }
  }
  testEveryFault<StoredAccount, string>(
    {
      elsewhere: callsOfSignIn,
      allowedCodes: [...allowedCodes, 'user.same_password'],
      before: () => storeAccount(),
      make: async (faulty, { email }) => (await signInFor(faulty, resetting(email))).userId,
      problems: async (userId, _before, faulty) => [
        ...(await accountProblems(userId, faulty)),
        ...((await rowCount(
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

describe('the webhook receiver', () => {
  it('eventually receives every event, each with a single id', () => expectAllDelivered(receiver), SETUP_MS)
})
