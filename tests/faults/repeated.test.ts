import { beforeAll, describe, expect, it } from 'vitest'
import { isRetryableError } from '../../src/storage/database.ts'
import { freshName, PASSWORD, RESUMED } from '../kit/clients/cookie-client.ts'
import { storeAccount } from '../kit/stored-account.ts'
import { SETUP_MS } from './account-fixtures.ts'
import type { Fault } from './fault-plan.ts'
import { type FaultyApp, openFaultyApp } from './faulty-app.ts'
import { type ProofSteps, registeringUser, signInFor, signingIn } from './patient-client.ts'

/** Returns the indices of the writes that match the pattern. */
async function callsWhere(prove: ProofSteps, pattern: RegExp, parameters = {}): Promise<number[]> {
  const faulty = openFaultyApp()
  await signInFor(faulty, prove, parameters)
  return faulty.calls.flatMap(({ isRead, what }, at) => (!isRead && pattern.test(what) ? [at] : []))
}

/**
 * The first request of an app creates signing keys. Make it beforehand, so that every sign-in makes the same
 * calls.
 */
beforeAll(async () => {
  await signInFor(openFaultyApp(), registeringUser(freshName(), PASSWORD))
}, SETUP_MS)

/** The batches of a submit that finishes the authorization, and of one that leaves this to a resume. */
const conclusions = [
  { conclusion: /"consumed_at" = \? where/, parameters: {} },
  { conclusion: /json_set\([^,]+, '\$\.result'/, parameters: RESUMED },
]
/** The insertion of an interaction's row is excluded: its batch counts an attempt and is not repeated. */
const commit = /(?:^|; )insert into "oidc_model_instances"(?![^;]* on conflict do nothing)/

async function outcomeWith(faulty: FaultyApp, prove: ProofSteps, parameters = {}) {
  await signInFor(faulty, prove, parameters)
  return {
    faultAt: faulty.faultAt,
    refusals: faulty.refusals,
    complaints: faulty.complaints,
    isVisible: faulty.answers.some((status) => status >= 500),
  }
}
const unnoticed = { faultAt: 'before', refusals: [], complaints: [], isVisible: false }

describe('a write that is safe to repeat', { timeout: SETUP_MS }, () => {
  it.each(['refused', 'lost'] as Fault[])(
    'is repeated transparently if the batch that concludes an interaction is %s',
    async (fault) => {
      for (const { conclusion, parameters } of conclusions)
        for (const journey of [
          async () => registeringUser(freshName(), PASSWORD),
          async () => signingIn({ username: (await storeAccount()).username }, PASSWORD),
        ]) {
          const [at = -1] = await callsWhere(await journey(), conclusion, parameters)
          const outcome = await outcomeWith(openFaultyApp({ at, fault }), await journey(), parameters)
          expect(outcome).toEqual(unnoticed)
        }
    },
  )

  it.each(['refused', 'lost'] as Fault[])(
    'is repeated transparently if a batch of the OpenID Provider is %s',
    async (fault) => {
      const prove = async () => signingIn({ username: (await storeAccount()).username }, PASSWORD)
      const commits = await callsWhere(await prove(), commit)
      // The two commits belong to the submit, which finishes the authorization, and to the token request.
      expect(commits.length).toBe(2)
      for (const at of commits)
        expect(await outcomeWith(openFaultyApp({ at, fault }), await prove())).toEqual(unnoticed)
    },
  )
})

describe('isRetryableError', () => {
  it.each([
    ['D1_ERROR: Network connection lost.', true],
    ['KV PUT failed: 500 Internal Server Error', true],
    ['D1 timed out', false],
    ['The operation was aborted due to timeout', false],
    ['D1 DB is overloaded. Too many requests queued.', false],
    ['UNIQUE constraint failed: users.tenant_id, users.username', false],
  ])('returns the right result for the error "%s": %s', (message, expected) => {
    expect(isRetryableError(new Error(message))).toBe(expected)
  })
})
