import { beforeAll, describe, it } from 'vitest'
import type { Receiver } from '../receiver.ts'
import { freshName, PASSWORD } from '../visitor.ts'
import { faults } from './fault.ts'
import { type Account, expectAllTold, hookedReceiver, newAccount, overtaken, SETUP_MS } from './household.ts'
import { accountProblems, count } from './ledger.ts'
import { registering, signInFor, signingIn } from './person.ts'
import { tryEvery } from './trial.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await hookedReceiver(['PostRegister', 'PostSignIn'])
}, SETUP_MS)

describe('registering with a password', () => {
  tryEvery<string, string>(
    {
      mayHear: [...overtaken, 'user.username_already_in_use'],
      before: async () => freshName(),
      make: async (world, username) => (await signInFor(world, registering(username, PASSWORD))).userId,
      problems: async (userId, username, world) => [
        ...((await count('users where username = ?', username)) === 1 ? [] : ['not one user of this name']),
        ...(await accountProblems(userId, world, { registered: true })),
      ],
    },
    faults,
  )
})

describe('signing in with a password', () => {
  tryEvery<Account, string>(
    {
      mayHear: overtaken,
      before: () => newAccount(),
      make: async (world, { username }) => (await signInFor(world, signingIn({ username }, PASSWORD))).userId,
      problems: async (userId, { id }, world) => [
        ...(userId === id ? [] : ['is somebody else']),
        ...(await accountProblems(userId, world)),
      ],
    },
    ['refused', 'lost', 'late', 'killed'],
  )
})

describe('who waits for all this', () => {
  it('is told of each in the end, each under one name', () => expectAllTold(receiver), SETUP_MS)
})
