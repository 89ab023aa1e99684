import { expect, it } from 'vitest'
import type { Interaction, Proof } from '../../../src/contract/interactions/interaction.ts'
import { isRefusal } from '../../../src/contract/refused.ts'
import { HOUR } from '../../../src/contract/time.ts'
import { decideFactor } from '../../../src/domain/factors/factor-decision.ts'
import { NO_FACTORS, type SecondFactorFacts } from '../../../src/domain/factors/second-factor.ts'
import { getFactorAges, type RiskFacts } from '../../../src/domain/factors/second-factor-policy.ts'
import type { AddedFactors } from '../../../src/domain/factors/sign-in-risk.ts'
import type { Account } from '../../../src/domain/interactions/accounts.ts'
import { pick } from '../../../src/domain/pick.ts'
import { buildAccount, byEmail, byPasskey, byPassword } from '../given.ts'

const bare = buildAccount({ id: 'ann' })
const addressed = buildAccount({ id: 'ann', email: 'ann@example.com' })
const none = [{ userId: 'ann', ...NO_FACTORS }]
const app = [{ userId: 'ann', ...NO_FACTORS, totp: true }]
const totp: Proof = { kind: 'totp', userId: 'ann', provenAt: 2 }
const emailFactor: Proof = { kind: 'emailFactor', userId: 'ann', provenAt: 2 }
const enrolment = { secret: 'A', proven: { step: 1, digests: [] } }

const now = 100 * HOUR
const ages = { totp: now, backupCode: null, passkeys: [], phone: null, email: null }
const unusual = (added: AddedFactors = { ...ages, totp: null }): { risk: RiskFacts } => ({
  risk: {
    now,
    here: { country: 'FR', coordinates: null },
    histories: [
      {
        userId: 'ann',
        knowsBrowser: true,
        places: [{ country: 'DE', coordinates: null, at: 1 }],
        added,
      },
    ],
  },
})
const recent = unusual(ages)
const old = unusual({ ...ages, totp: 1, email: now })

/** An account with an older app and a passkey that was added recently, as `byPasskey` uses it. */
const withNewPasskey = (backupCodes: number, addedCodesAt: number | null = null) => ({
  ...unusual({ ...ages, totp: 1, backupCode: addedCodesAt, passkeys: [{ id: 'kept', at: now }] }),
  factors: ['totp', 'passkey'] as const,
  holdings: [{ userId: 'ann', ...NO_FACTORS, totp: true, passkeys: 1, backupCodes }],
})
const adaptiveAndOptional = { common: ['adaptive', 'optional'] as const }
const backupCode: Proof = { kind: 'backupCode', userId: 'ann', provenAt: 2 }

const required = (data: object) => ({ code: 'user.second_factor_required', data })
const asksFor = (factor: string) => required({ factors: [factor], mayRemember: false, unusual: true })

/** The rows are in the order of the decision table, in which the first matching row applies. */
it.each<[string, Account, Proof[], Partial<SecondFactorFacts>, Partial<Interaction>, unknown]>([
  ['no policy applies', addressed, [], { common: ['off'], holdings: app }, {}, undefined],
  [
    'the enrolled app was added recently',
    addressed,
    [totp],
    { ...recent, holdings: app },
    {},
    asksFor('email'),
  ],
  ['an older app is verified', addressed, [totp], { ...old, holdings: app }, {}, { kind: 'proven' }],
  ['a passkey is two factors', bare, [byPasskey('ann')], { ...unusual() }, {}, undefined],
  ['an address replaces a missing factor', addressed, [], { ...unusual() }, {}, asksFor('email')],
  [
    'the user cannot verify anything',
    bare,
    [],
    { ...unusual() },
    { enrolment },
    { code: 'user.unusual_sign_in' },
  ],
  [
    'a factor has to be set up',
    addressed,
    [emailFactor],
    { ...unusual(), common: ['adaptive', 'required'] },
    {},
    { code: 'user.second_factor_missing', data: { factors: ['totp'] } },
  ],
  [
    'the tenant no longer accepts apps',
    bare,
    [],
    { common: ['optional'], factors: ['email'], holdings: app },
    {},
    undefined,
  ],
  ['only `adaptive` applies, without a factor', bare, [], {}, {}, undefined],
  ['a factor was set up', bare, [], {}, { enrolment }, { kind: 'missing', enrolment, passkeys: 0 }],
  [
    'the factor is optional and none is enrolled',
    bare,
    [],
    { common: ['optional'] },
    {},
    { kind: 'missing', passkeys: 0 },
  ],
  ['a factor is verified', bare, [totp], { holdings: app, remembered: ['ann'] }, {}, { kind: 'proven' }],
  [
    'the last backup code was used',
    bare,
    [{ ...totp, kind: 'backupCode' }],
    { holdings: app, ...unusual() },
    {},
    { kind: 'proven' },
  ],
  ['only `adaptive` applies, with an app', bare, [], { holdings: app, remembered: ['ann'] }, {}, undefined],
  [
    'the browser is remembered',
    bare,
    [],
    { common: ['optional'], holdings: app, remembered: ['ann'] },
    {},
    { kind: 'remembered' },
  ],
  [
    'the account forbids remembered browsers',
    bare,
    [],
    {
      common: ['optional'],
      holdings: app,
      remembered: ['ann'],
      neverRemembered: { all: false, userIds: ['ann'] },
    },
    {},
    required({ factors: ['totp'], mayRemember: false }),
  ],
  [
    'the browser is remembered, and the sign-in is unusual',
    bare,
    [],
    { ...unusual(), common: ['adaptive', 'optional'], holdings: app, remembered: ['ann'] },
    {},
    required({ factors: ['totp'], unusual: true }),
  ],
  [
    'an older address is verified, and another policy applies',
    addressed,
    [emailFactor],
    { ...recent, common: ['adaptive', 'optional'], holdings: app },
    {},
    required({ factors: ['totp'] }),
  ],
  [
    'an app is required',
    bare,
    [],
    { common: ['optional'], holdings: app },
    {},
    required({ factors: ['totp'] }),
  ],
  [
    'a code began the sign-in, and there is no other factor',
    addressed,
    [byEmail('ann@example.com')],
    { ...unusual() },
    {},
    { kind: 'missing', passkeys: 0 },
  ],
  [
    'an older app is proved besides a recently added passkey',
    bare,
    [byPasskey('ann'), totp],
    withNewPasskey(0),
    {},
    { kind: 'proven' },
  ],
  ['a passkey was added recently', bare, [byPasskey('ann')], withNewPasskey(0), {}, asksFor('totp')],
  [
    'a backup code was the last one, and a passkey was added recently',
    bare,
    [backupCode],
    withNewPasskey(0),
    {},
    { kind: 'proven' },
  ],
  [
    'few backup codes are left, and a passkey was added recently',
    bare,
    [],
    { ...withNewPasskey(2), ...adaptiveAndOptional },
    {},
    required({ factors: ['totp', 'backupCode'], backupCodesLeft: 2, unusual: true }),
  ],
  [
    'few backup codes are left, but they were added recently',
    bare,
    [],
    { ...withNewPasskey(2, now), ...adaptiveAndOptional },
    {},
    required({ factors: ['totp'], unusual: true }),
  ],
  [
    'a passkey was added recently, and no browser is remembered for the account',
    bare,
    [],
    { ...withNewPasskey(0), ...adaptiveAndOptional, neverRemembered: { all: true, userIds: [] } },
    {},
    required({ factors: ['totp'], mayRemember: false, unusual: true }),
  ],
  [
    'the app was added recently, and backup codes are older',
    bare,
    [totp],
    {
      ...unusual({ ...ages, backupCode: 1 }),
      holdings: [{ userId: 'ann', ...NO_FACTORS, totp: true, backupCodes: 5 }],
    },
    {},
    { kind: 'proven' },
  ],
  [
    'the account has deferred setting up a factor once',
    bare,
    [],
    { common: ['prompt'], holdings: [{ userId: 'ann', ...NO_FACTORS, deferrals: 1 }] },
    {},
    { code: 'user.second_factor_missing', data: { factors: ['totp'], putOffsLeft: 2 } },
  ],
])('the factor decision is correct if %s', (_, account, proofs, facts, more, expected) => {
  const [first] = proofs
  const firstProof = first?.kind === 'passkey' || first?.kind === 'email' ? [] : [byPassword('ann')]
  const interaction: Interaction = { event: 'SignIn', proofs: [...firstProof, ...proofs], ...more }
  const outcome = decideFactor(interaction, account, {
    common: ['adaptive'],
    ofAccounts: [],
    requestsTwoFactors: false,
    factors: ['totp'],
    maxDeferrals: 3,
    holdings: none,
    ...facts,
  })
  expect(isRefusal(outcome) ? pick(outcome, ['code', 'data']) : outcome).toEqual(expected)
})

it('the age of a factor is unknown unless its account’s history was loaded', () => {
  expect(getFactorAges({ id: 'ann' }, undefined)).toBeUndefined()
  expect(getFactorAges({ id: 'bob' }, recent.risk)).toBeUndefined()
  expect(getFactorAges({ id: 'ann' }, recent.risk)).toEqual({ added: ages, now })
})
