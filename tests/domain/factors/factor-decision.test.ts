import { expect, it } from 'vitest'
import type { Interaction, Proof } from '../../../src/contract/interactions/interaction.ts'
import { isRefusal } from '../../../src/contract/refused.ts'
import { HOUR } from '../../../src/contract/time.ts'
import { decideFactor } from '../../../src/domain/factors/factor-decision.ts'
import { NO_FACTORS, type SecondFactorFacts } from '../../../src/domain/factors/second-factor.ts'
import type { RiskFacts } from '../../../src/domain/factors/second-factor-policy.ts'
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
])('the factor decision is correct if %s', (_, account, proofs, facts, more, expected) => {
  const [first] = proofs
  const firstProof = first?.kind === 'passkey' || first?.kind === 'email' ? [] : [byPassword('ann')]
  const interaction: Interaction = { event: 'SignIn', proofs: [...firstProof, ...proofs], ...more }
  const outcome = decideFactor(interaction, account, {
    common: ['adaptive'],
    ofRoles: [],
    requestsTwoFactors: false,
    factors: ['totp'],
    maxDeferrals: 3,
    holdings: none,
    ...facts,
  })
  expect(isRefusal(outcome) ? pick(outcome, ['code', 'data']) : outcome).toEqual(expected)
})
