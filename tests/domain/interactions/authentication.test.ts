import { describe, expect, it } from 'vitest'
import type { FactorProof, Interaction, Proof } from '../../../src/contract/interactions/interaction.ts'
import type { SecondFactorKind } from '../../../src/contract/tenants/settings.ts'
import {
  deriveAuthentication,
  requestsTwoFactors,
  requiresMultipleFactors,
} from '../../../src/domain/interactions/authentication.ts'
import { formatResetName } from '../../../src/domain/passwords/password-reset.ts'
import { byEmail, byPasskey, byPassword, byPhone, bySocial } from '../given.ts'

const ONE = 'urn:vestibule:acr:1fa'
const TWO = 'urn:vestibule:acr:2fa'

const second = (kind: FactorProof['kind']): Proof => ({ kind, userId: 'ann', provenAt: 2 })
const key = { ...byPasskey('ann'), isUserVerified: false } as Proof
const password = byPassword('ann')
const [mail, text] = [byEmail('ann@example.com'), byPhone('111')]
const social = bySocial('github-1', { id: 'gh-ann' })

describe('the authentication level of verified factors (spec/provider#authentication-levels)', () => {
  it.each<[Proof[], string, string[]]>([
    [[password], ONE, ['pwd']],
    [[password, second('totp')], TWO, ['mfa', 'otp', 'pwd']],
    [[password, second('backupCode')], TWO, ['mfa', 'pwd']],
    [[password, second('emailFactor')], TWO, ['mfa', 'otp', 'pwd']],
    [[password, second('phoneFactor')], TWO, ['mfa', 'otp', 'pwd', 'sms']],
    [[password, key], TWO, ['mfa', 'pwd', 'swk']],
    [[password, byPasskey('ann')], 'phr', ['mfa', 'pwd', 'swk', 'user']],
    [[social, second('emailFactor')], TWO, ['mfa', 'otp']],
    [[mail, second('phoneFactor')], TWO, ['mfa', 'otp', 'sms']],
    [[text, second('emailFactor')], TWO, ['mfa', 'otp', 'sms']],
    [[mail, key], TWO, ['mfa', 'otp', 'swk']],
    [[password, { ...key, isBackedUp: false } as Proof], TWO, ['hwk', 'mfa', 'pwd']],
    // A social account proves the address that it reports.
    [[social, { ...mail, connectorId: 'github-1' } as Proof], ONE, []],
    [[social, { ...text, connectorId: 'github-1' } as Proof], ONE, []],
    // Both factors use the same mailbox or phone.
    [[mail, second('emailFactor')], ONE, ['otp']],
    [[text, second('phoneFactor')], ONE, ['otp', 'sms']],
    // A code from an authenticator app, and a backup code used in its place.
    [[second('totp'), second('backupCode')], ONE, ['otp']],
  ])('is %s for %j, with the AMR values %j', (proofs, acr, amr) => {
    const interaction: Interaction = { event: 'SignIn', proofs }
    expect(deriveAuthentication(interaction, ['email', 'phone'])).toEqual({ acr, amr })
  })

  it.each<[FactorProof['kind'], SecondFactorKind]>([
    ['totp', 'totp'],
    ['emailFactor', 'email'],
    ['phoneFactor', 'phone'],
  ])('reaches two factors with %s if the tenant accepts only %s', (proof, kind) => {
    const interaction: Interaction = { event: 'SignIn', proofs: [password, second(proof)] }
    expect(deriveAuthentication(interaction, [kind]).acr).toBe(TWO)
  })

  const linked = { id: 'gh-eve', email: 'ann@example.com' }
  const ofLinked = { ...byEmail('ann@example.com'), connectorId: 'github-1' }

  it.each<[string, Interaction, SecondFactorKind[], string]>([
    ['two codes, one of which the tenant accepts', { event: 'SignIn', proofs: [mail, text] }, ['phone'], TWO],
    ['two codes that the tenant does not accept', { event: 'SignIn', proofs: [mail, text] }, ['totp'], ONE],
    ['a password and such a code', { event: 'SignIn', proofs: [password, mail] }, ['totp'], ONE],
    ['a password and an app', { event: 'SignIn', proofs: [password, second('totp')] }, ['totp'], TWO],
    [
      'a password and the mailbox that just reset it',
      {
        event: 'SignIn',
        proofs: [password, mail],
        afterReset: formatResetName({ userId: 'ann', channels: ['email'] }, 'id'),
      },
      ['email'],
      ONE,
    ],
    [
      'a password and the mailbox that reset the password of another account',
      {
        event: 'SignIn',
        proofs: [password, mail],
        afterReset: formatResetName({ userId: 'eve', channels: ['email'] }, 'id'),
      },
      ['email'],
      TWO,
    ],
    [
      'a social account that is being linked, and the mailbox that it reports',
      {
        event: 'SignIn',
        proofs: [bySocial('github-1', linked), ofLinked, second('emailFactor')],
        profile: { connectorId: 'github-1' },
      },
      ['email'],
      ONE,
    ],
  ])('depends on the factors that the tenant accepts: %s', (_what, interaction, acceptedKinds, acr) => {
    expect(deriveAuthentication(interaction, acceptedKinds).acr).toBe(acr)
  })
})

describe('a registration’s authentication level', () => {
  const enrolment = { secret: 'A', proven: { step: 1, digests: [] } }
  const profile = { email: 'ann@example.com', phone: '111' }
  it.each<[string, Partial<Interaction>, string, string[]]>([
    ['a password', { profile: { username: 'ann', password: 'secret-1' } }, ONE, ['pwd']],
    ['codes to its addresses', { proofs: [mail, text], profile }, ONE, ['otp', 'sms']],
    [
      'a password and a code',
      { proofs: [mail], profile: { ...profile, password: 'x' } },
      ONE,
      ['otp', 'pwd'],
    ],
    ['a code and an app', { proofs: [text], profile, enrolment }, TWO, ['mfa', 'otp', 'sms']],
    [
      'an app without a confirmed code',
      { proofs: [mail], profile, enrolment: { secret: 'A' } },
      ONE,
      ['otp'],
    ],
  ])('is one factor with %s unless an app was set up: %j', (_, interaction, acr, amr) => {
    expect(
      deriveAuthentication({ event: 'Register', proofs: [], ...interaction }, ['email', 'phone']),
    ).toEqual({
      acr,
      amr,
    })
  })

  it('is calculated like the level of a sign-in, which ignores addresses that the sign-in adds', () => {
    const signIn: Interaction = { event: 'SignIn', proofs: [password, mail, text], profile }
    expect(deriveAuthentication(signIn, ['email', 'phone'])).toEqual({ acr: ONE, amr: ['pwd'] })
    const withApp: Interaction = { event: 'SignIn', proofs: [password], enrolment }
    expect(deriveAuthentication(withApp, [])).toEqual({ acr: TWO, amr: ['mfa', 'otp', 'pwd'] })
  })
})

it.each([
  ['urn:vestibule:acr:2fa', { multiple: true, two: true }],
  ['phr urn:vestibule:acr:2fa', { multiple: true, two: true }],
  ['phr', { multiple: true, two: false }],
  ['urn:vestibule:acr:2fa urn:vestibule:acr:1fa', { multiple: false, two: false }],
  ['urn:vestibule:acr:1fa', { multiple: false, two: false }],
  ['gold', { multiple: false, two: false }],
  [undefined, { multiple: false, two: false }],
])('a request for the level %s requires several factors, and accepts any two: %j', (values, expected) => {
  const request = { acr_values: values }
  expect({ multiple: requiresMultipleFactors(request), two: requestsTwoFactors(request) }).toEqual(expected)
})
