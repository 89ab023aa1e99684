import { describe, expect, it } from 'vitest'
import { toBase64Url } from '../../../src/domain/base64.ts'
import {
  checkAuthenticatorData,
  listAcceptedPasskeys,
  parseChallenge,
  passkeyUser,
} from '../../../src/domain/passkeys/passkeys.ts'

const signed = { counter: 0, isUserVerified: true, isBackupEligible: true }

/** spec/accounts#passkey-verification */
describe('a valid passkey signature', () => {
  const bound = { isBackupEligible: false }

  it.each([
    ['a synced passkey without a counter', { counter: 0 }, {}, null],
    ['a synced passkey whose counter decreased', { counter: 7 }, { counter: 3 }, null],
    ['a device-bound passkey without a counter', { counter: 0, ...bound }, bound, null],
    [
      'a device-bound passkey whose counter increased',
      { counter: 7, ...bound },
      { counter: 8, ...bound },
      null,
    ],
    [
      'a device-bound passkey that repeats its counter',
      { counter: 7, ...bound },
      { counter: 7, ...bound },
      'counter',
    ],
    [
      'a device-bound passkey whose counter decreased',
      { counter: 7, ...bound },
      { counter: 3, ...bound },
      'counter',
    ],
    [
      'a device-bound passkey that stopped its counter',
      { counter: 7, ...bound },
      { counter: 0, ...bound },
      'counter',
    ],
    ['a passkey without user verification', { counter: 0 }, { isUserVerified: false }, 'userVerification'],
    ['a device-bound passkey that claims to be synced', { counter: 0, ...bound }, {}, 'backupEligibility'],
    ['a synced passkey that claims to be device-bound', { counter: 0 }, bound, 'backupEligibility'],
  ])('is checked against the stored data for %s', (_, stored, changes, reason) => {
    const refusal = checkAuthenticatorData(
      { isBackupEligible: true, ...stored },
      { ...signed, ...changes },
      { needsUser: true },
    )
    expect(refusal?.data ?? null).toEqual(reason && { reason })
  })
})

it('a passkey as a second factor requires no user verification, but every other check', () => {
  const check = (changes: Partial<typeof signed>) =>
    checkAuthenticatorData(
      { counter: 0, isBackupEligible: true },
      { ...signed, isUserVerified: false, ...changes },
      {
        needsUser: false,
      },
    )?.data ?? null
  expect(check({})).toBeNull()
  expect(check({ isBackupEligible: false })).toEqual({ reason: 'backupEligibility' })
})

describe("the challenge in a passkey's client data", () => {
  const data = (value: unknown) => toBase64Url(JSON.stringify(value))

  it.each([
    ['the one that was sent', data({ challenge: toBase64Url('2seäl') }), '2seäl'],
    // Its encoding contains both characters of base64url that base64 lacks.
    ['any text', data({ challenge: toBase64Url('>>>???') }), '>>>???'],
    ['missing', data({}), null],
    ['a number', data({ challenge: 1 }), null],
    ['not base64url', data({ challenge: '%' }), null],
    ['not UTF-8', data({ challenge: '_w' }), null],
    ['null', data(null), null],
    ['not JSON', toBase64Url('{'), null],
  ])('is parsed only if it is valid: %s', (_, clientDataJSON, challenge) => {
    expect(parseChallenge(clientDataJSON)).toBe(challenge)
  })
})

describe('the user that authenticators show', () => {
  const named = { id: 'ann', username: 'ann1', primaryEmail: 'a@b.c', primaryPhone: '49', name: 'Ann Smith' }
  it.each([
    [{}, 'ann1', 'Ann Smith'],
    [{ name: null }, 'ann1', 'ann1'],
    [{ username: null }, 'a@b.c', 'Ann Smith'],
    [{ username: null, primaryEmail: null }, '49', 'Ann Smith'],
    [{ username: null, primaryEmail: null, primaryPhone: null }, 'Ann Smith', 'Ann Smith'],
    [{ username: null, primaryEmail: null, primaryPhone: null, name: null }, 'ann', 'ann'],
  ])('reflects the changes %j and is %s, displayed as %s', (changes, name, displayName) => {
    expect(passkeyUser({ ...named, ...changes })).toEqual({ id: 'YW5u', name, displayName })
  })

  it('is reported to authenticators with the remaining passkeys', () => {
    expect(listAcceptedPasskeys('id.example', named, ['a', 'b'])).toEqual({
      rpId: 'id.example',
      userId: 'YW5u',
      name: 'ann1',
      displayName: 'Ann Smith',
      credentialIds: ['a', 'b'],
    })
  })
})
