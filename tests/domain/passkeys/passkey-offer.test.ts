import { describe, expect, it } from 'vitest'
import type { SecondFactorKind, SecondFactorPolicy } from '../../../src/contract/tenants/settings.ts'
import {
  allowedCreations,
  describeSignIn,
  mayCreatePasskey,
  NO_OFFERS,
} from '../../../src/domain/passkeys/passkey-offer.ts'
import { buildAccount, noSecondFactor } from '../given.ts'

const account = buildAccount({ id: 'ann', email: 'ann@example.com', phone: '491721234567' })
const nothing = { userId: 'ann', totp: false, backupCodes: 0, passkeys: 0, deferrals: 0 }
const offer = ['offer']
const every = ['conditional', 'offer']

type Given = {
  amr?: string[]
  holding?: Partial<typeof nothing>
  factors?: SecondFactorKind[]
  common?: SecondFactorPolicy[]
}

describe('the ways to make a passkey after a sign-in (spec/accounts#passkey-offer)', () => {
  it.each<[string, Given, string[]]>([
    ['one factor, of an account that has no other', {}, every],
    [
      'one factor, where the application takes passkeys as second ones',
      { common: ['off', 'optional'] },
      offer,
    ],
    ['one factor, of an account that has an app', { holding: { totp: true } }, []],
    ['the same and the app', { amr: ['mfa', 'otp', 'pwd'], holding: { totp: true } }, every],
    ['one factor, of an app that the tenant takes no more', { holding: { totp: true }, factors: [] }, every],
    ['a password, where a code by mail is a factor', { factors: ['email'] }, []],
    ['a code by mail, where it is a factor', { amr: ['otp'], factors: ['email'] }, offer],
    ['a code by mail, where one by text message is a factor', { amr: ['otp'], factors: ['phone'] }, []],
    ['a code by text message, where it is a factor', { amr: ['otp', 'sms'], factors: ['phone'] }, offer],
  ])(
    '%s',
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

const claims = (given: object) => ({ claims: JSON.stringify(given) })

describe('a passkey without a question (spec/accounts#passkey-offer)', () => {
  it.each<[Record<string, unknown>, boolean]>([
    [{}, true],
    [{ acr_values: 'urn:vestibule:acr:1fa' }, false],
    [{ max_age: 600 }, false],
    [{ prompt: 'consent login' }, false],
    [{ prompt: 'consent' }, true],
    [claims({ id_token: { acr: { essential: true } } }), false],
    [claims({ id_token: { acr: { essential: true, values: ['urn:vestibule:acr:2fa'] } } }), false],
    // Voluntary: without the level the sign-in goes on.
    [claims({ id_token: { acr: null } }), true],
    [claims({ id_token: { acr: { values: ['urn:vestibule:acr:2fa'] } } }), true],
    // Of other claims.
    [claims({ userinfo: { acr: { essential: true } } }), true],
    [claims({ id_token: { nickname: { value: '"acr"' } } }), true],
  ])('is made beside the request %j: %s', (request, isMade) => {
    const signIn = { amr: ['pwd'], request, isSecondFactor: false, hasFactor: false }
    expect(mayCreatePasskey('conditional', signIn, { credentialIds: [] })).toBe(isMade)
  })
})
