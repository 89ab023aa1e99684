import { beforeAll, describe, it } from 'vitest'
import { freshName, PASSWORD } from '../kit/clients/cookie-client.ts'
import type { Receiver } from '../kit/receiver.ts'
import { type StoredAccount, storeAccount } from '../kit/stored-account.ts'
import { expectAllDelivered, hookedReceiver, overtakenCodes, SETUP_MS } from './account-fixtures.ts'
import { accountProblems, rowCount } from './account-invariants.ts'
import { testEveryFault } from './every-fault.ts'
import { everyFaultKind } from './fault-plan.ts'
import { registeringUser, signInFor, signingIn } from './patient-client.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await hookedReceiver(['PostRegister', 'PostSignIn'])
}, SETUP_MS)

describe.concurrent('registering with a password', () => {
  testEveryFault<string, string>(
    {
      allowedCodes: [...overtakenCodes, 'user.username_already_in_use'],
      before: async () => freshName(),
      make: async (faulty, username) => (await signInFor(faulty, registeringUser(username, PASSWORD))).userId,
      problems: async (userId, username, faulty) => [
        ...((await rowCount('users where username = ?', username)) === 1
          ? []
          : ['not one user of this name']),
        ...(await accountProblems(userId, faulty, { registered: true })),
      ],
    },
    everyFaultKind,
  )
})

describe.concurrent('signing in with a password', () => {
  testEveryFault<StoredAccount, string>(
    {
      allowedCodes: overtakenCodes,
      before: () => storeAccount(),
      make: async (faulty, { username }) =>
        (await signInFor(faulty, signingIn({ username }, PASSWORD))).userId,
      problems: async (userId, { id }, faulty) => [
        ...(userId === id ? [] : ['is another user']),
        ...(await accountProblems(userId, faulty)),
      ],
    },
    ['refused', 'lost', 'late', 'killed'],
  )
})

describe('the webhook receiver', () => {
  it('eventually receives every event, each with a single id', () => expectAllDelivered(receiver), SETUP_MS)
})
