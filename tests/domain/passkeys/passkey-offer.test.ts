import { describe, expect, it } from 'vitest'
import type { SecondFactorKind, SecondFactorPolicy } from '../../../src/contract/tenants/settings.ts'
import { DAY } from '../../../src/contract/time.ts'
import {
  allowedCreations,
  describeRegistration,
  describeSignIn,
  mayCreatePasskey,
  NO_OFFERS,
} from '../../../src/domain/passkeys/passkey-offer.ts'
import { buildAccount, noSecondFactor } from '../given.ts'

const account = buildAccount({ id: 'ann', email: 'ann@example.com', phone: '491721234567' })
const nothing = { userId: 'ann', totp: false, backupCodes: 0, passkeys: 0, deferrals: 0 }
const offer = ['offer']
const every = ['conditional', 'offer']

type Situation = {
  amr?: string[]
  holding?: Partial<typeof nothing>
  factors?: SecondFactorKind[]
  common?: SecondFactorPolicy[]
}

describe('passkey creation after a sign-in (spec/accounts#passkey-offer)', () => {
  it.each<[string, Situation, string[]]>([
    ['one factor of an account that has no other', {}, every],
    [
      'one factor, if the application accepts passkeys as second factors',
      { common: ['off', 'optional'] },
      offer,
    ],
    ['one factor of an account with an app', { holding: { totp: true } }, []],
    ['a password and the app', { amr: ['mfa', 'otp', 'pwd'], holding: { totp: true } }, every],
    [
      'one factor of an account with an app that the tenant no longer accepts',
      { holding: { totp: true }, factors: [] },
      every,
    ],
    ['a password, if a code by mail is a factor', { factors: ['email'] }, []],
    ['a code by mail, if it is a factor', { amr: ['otp'], factors: ['email'] }, offer],
    ['a code by mail, if one by text message is a factor', { amr: ['otp'], factors: ['phone'] }, []],
    ['a code by text message, if it is a factor', { amr: ['otp', 'sms'], factors: ['phone'] }, offer],
  ])(
    'is allowed depending on the sign-in factors: %s',
    (_what, { amr = ['pwd'], holding, factors = ['totp', 'passkey'], common = ['off'] }, creations) => {
      const holdings = [{ ...nothing, ...holding }]
      const signIn = describeSignIn(
        account,
        { ...noSecondFactor, factors, common, holdings },
        { amr, request: {} },
      )
      const abilities = ['conditional', 'offer'] as const
      expect(allowedCreations(signIn, NO_OFFERS, { abilities, now: 0 })).toEqual(creations)
    },
  )
})

describe('the passkey offer', () => {
  const signIn = { amr: ['pwd'], request: {}, isSecondFactor: false, hasFactor: false }
  const now = 100 * DAY
  it.each([
    [{}, every],
    [{ deferrals: 2, deferredAt: now - 30 * DAY }, every],
    // Deferring the offer does not affect passkeys that browsers create by themselves.
    [{ deferrals: 1, deferredAt: now - 30 * DAY + 1 }, ['conditional']],
    [{ deferrals: 3, deferredAt: now - 90 * DAY }, ['conditional']],
    [{ credentialIds: ['a'] }, []],
  ])('depends on %j, and is made in the forms %j', (facts, creations) => {
    const abilities = ['conditional', 'offer'] as const
    expect(allowedCreations(signIn, { ...NO_OFFERS, ...facts }, { abilities, now })).toEqual(creations)
  })

  it('is made only in the forms that the browser supports', () => {
    expect(allowedCreations(signIn, NO_OFFERS, { abilities: ['offer'], now })).toEqual(offer)
    expect(allowedCreations(signIn, NO_OFFERS, { abilities: [], now })).toEqual([])
  })
})

it('a new account has no other factor, but its passkey may become a second factor', () => {
  const proven = { amr: ['pwd'], request: { scope: 'openid' } }
  const factors: SecondFactorKind[] = ['passkey']
  const ofAccounts = [{ userId: 'ann', policy: 'optional' as const }]
  const describeWith = (facts: object) => describeRegistration('ann', { ...noSecondFactor, ...facts }, proven)
  expect(describeWith({ factors, ofAccounts })).toEqual({ ...proven, isSecondFactor: true, hasFactor: false })
  expect(describeWith({ factors })).toEqual({ ...proven, isSecondFactor: false, hasFactor: false })
  expect(describeWith({ ofAccounts })).toEqual({ ...proven, isSecondFactor: false, hasFactor: false })
})

const claims = (value: object) => ({ claims: JSON.stringify(value) })

describe('a silently created passkey (spec/accounts#passkey-offer)', () => {
  it.each<[Record<string, unknown>, boolean]>([
    [{}, true],
    [{ acr_values: 'urn:vestibule:acr:1fa' }, false],
    [{ max_age: 600 }, false],
    [{ prompt: 'consent login' }, false],
    [{ prompt: 'consent' }, true],
    [claims({ id_token: { acr: { essential: true } } }), false],
    [claims({ id_token: { acr: { essential: true, values: ['urn:vestibule:acr:2fa'] } } }), false],
    // These claims are voluntary, so the sign-in continues without the requested level.
    [claims({ id_token: { acr: null } }), true],
    [claims({ id_token: { acr: { values: ['urn:vestibule:acr:2fa'] } } }), true],
    // These requests do not concern the `acr` claim of the ID token.
    [claims({ userinfo: { acr: { essential: true } } }), true],
    [claims({ id_token: { nickname: { value: '"acr"' } } }), true],
  ])('is allowed for the authorization request %j: %s', (request, isCreated) => {
    const signIn = { amr: ['pwd'], request, isSecondFactor: false, hasFactor: false }
    expect(mayCreatePasskey('conditional', signIn, { credentialIds: [] })).toBe(isCreated)
  })
})
