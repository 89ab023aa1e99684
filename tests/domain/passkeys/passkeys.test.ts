import { describe, expect, it } from 'vitest'
import { toBase64Url } from '../../../src/domain/base64.ts'
import { checkSignedFacts, readChallenge } from '../../../src/domain/passkeys/passkeys.ts'

const signed = { counter: 0, isUserVerified: true, isBackupEligible: true }

/** spec/accounts#passkey-verification */
describe('what a right signature says', () => {
  const bound = { isBackupEligible: false }

  it.each([
    ['a synced passkey that counts nothing', { counter: 0 }, {}, null],
    ['a synced passkey whose counter went back', { counter: 7 }, { counter: 3 }, null],
    ['a device-bound passkey that counts nothing', { counter: 0, ...bound }, bound, null],
    ['a device-bound passkey that counts on', { counter: 7, ...bound }, { counter: 8, ...bound }, null],
    [
      'a device-bound passkey that repeats its counter',
      { counter: 7, ...bound },
      { counter: 7, ...bound },
      'counter',
    ],
    [
      'a device-bound passkey whose counter went back',
      { counter: 7, ...bound },
      { counter: 3, ...bound },
      'counter',
    ],
    [
      'a device-bound passkey that counts no more',
      { counter: 7, ...bound },
      { counter: 0, ...bound },
      'counter',
    ],
    ['a passkey without user verification', { counter: 0 }, { isUserVerified: false }, 'userVerification'],
    ['a device-bound passkey that says it is synced', { counter: 0, ...bound }, {}, 'backupEligibility'],
    ['a synced passkey that says it is device-bound', { counter: 0 }, bound, 'backupEligibility'],
  ])('of %s', (_, known, said, reason) => {
    const refusal = checkSignedFacts(
      { isBackupEligible: true, ...known },
      { ...signed, ...said },
      { needsUser: true },
    )
    expect(refusal?.data ?? null).toEqual(reason && { reason })
  })
})

it('a second factor needs no verified user, and everything else', () => {
  const verdict = (said: Partial<typeof signed>) =>
    checkSignedFacts(
      { counter: 0, isBackupEligible: true },
      { ...signed, isUserVerified: false, ...said },
      {
        needsUser: false,
      },
    )?.data ?? null
  expect(verdict({})).toBeNull()
  expect(verdict({ isBackupEligible: false })).toEqual({ reason: 'backupEligibility' })
})

describe('the challenge in client data', () => {
  const data = (value: unknown) => toBase64Url(JSON.stringify(value))

  it.each([
    ['as it was sent', data({ challenge: toBase64Url('2seäl') }), '2seäl'],
    ['nothing', data({}), null],
    ['a number', data({ challenge: 1 }), null],
    ['no base64url', data({ challenge: '%' }), null],
    ['no UTF-8', data({ challenge: '_w' }), null],
    ['null', data(null), null],
    ['no JSON', toBase64Url('{'), null],
  ])('is %s', (_, clientDataJSON, challenge) => {
    expect(readChallenge(clientDataJSON)).toBe(challenge)
  })
})
