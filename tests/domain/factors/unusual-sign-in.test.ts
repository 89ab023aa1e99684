import { describe, expect, it } from 'vitest'
import type { Interaction, Proof } from '../../../src/contract/interactions/interaction.ts'
import { isRefusal } from '../../../src/contract/refused.ts'
import { type SecondFactorPolicy, secondFactorPolicies } from '../../../src/contract/tenants/settings.ts'
import { HOUR } from '../../../src/contract/time.ts'
import { decideFactor, withAddressChallenge } from '../../../src/domain/factors/factor-decision.ts'
import type { SecondFactorFacts } from '../../../src/domain/factors/second-factor.ts'
import { assumeUnusualSignIn, findRisks } from '../../../src/domain/factors/second-factor-policy.ts'
import type { AddedFactors } from '../../../src/domain/factors/sign-in-risk.ts'
import type { Account } from '../../../src/domain/interactions/accounts.ts'
import { formatResetName } from '../../../src/domain/passwords/password-reset.ts'
import { buildAccount, byEmail, byPasskey, byPassword, byPhone, bySocial } from '../given.ts'

/** Tests the policy `adaptive` and its combination with other policies (spec/accounts#unusual-sign-in). */

const ann = buildAccount({ id: 'ann' })
const address = 'ann@example.com'
const addressed = buildAccount({ id: 'ann', email: address, phone: '111', phoneVerified: false })
const reachable = buildAccount({ id: 'ann', email: address, phone: '111' })

const germany = { country: 'DE', coordinates: null }
const noAges = { totp: null, backupCode: null, passkeys: [], phone: null, email: null }
const risk = (here: string, added: Partial<AddedFactors> = {}, now = 2) => ({
  now,
  here: { country: here, coordinates: null },
  histories: [
    {
      userId: 'ann',
      knowsBrowser: true,
      places: [{ ...germany, at: 1 }],
      added: { ...noAges, ...added },
    },
  ],
})
const unusual = risk('FR')
const usual = risk('DE')

const factsOf = (more: Partial<SecondFactorFacts>): SecondFactorFacts => ({
  common: ['adaptive'],
  ofAccounts: [],
  requestsTwoFactors: false,
  factors: ['totp'],
  maxDeferrals: 3,
  holdings: [],
  risk: unusual,
  ...more,
})
const app = { userId: 'ann', totp: true, backupCodes: 1, passkeys: 0, deferrals: 0 }

const factor = (kind: 'totp' | 'backupCode' | 'emailFactor' | 'phoneFactor'): Proof => ({
  kind,
  userId: 'ann',
  provenAt: 2,
})
const signingIn = (...proofs: Proof[]): Interaction => ({
  event: 'SignIn',
  proofs: [byPassword('ann'), ...proofs],
})
const enrolment = { secret: 'A', proven: { step: 1, digests: [] } }

const required = 'user.second_factor_required'
const refused = 'user.unusual_sign_in'

function decisionOf(interaction: Interaction, account: Account, facts: SecondFactorFacts) {
  const outcome = decideFactor(interaction, account, facts)
  return isRefusal(outcome)
    ? [outcome.code, ...(outcome.data ? [outcome.data] : [])]
    : (outcome?.kind ?? null)
}

describe('a sign-in to an account with a factor', () => {
  it.each([
    [usual, [], [], null],
    [undefined, [], [], null],
    [
      unusual,
      [],
      [],
      [required, { factors: ['totp', 'backupCode'], backupCodesLeft: 1, mayRemember: false, unusual: true }],
    ],
    // A remembered browser may have been stolen.
    [
      unusual,
      [],
      ['ann'],
      [required, { factors: ['totp', 'backupCode'], backupCodesLeft: 1, mayRemember: false, unusual: true }],
    ],
    [unusual, [factor('totp')], [], 'proven'],
    [unusual, [factor('backupCode')], [], 'proven'],
    // Codes sent by email are not a factor of this account.
    [unusual, [factor('emailFactor')], [], [required, expect.anything()]],
    [unusual, [byPasskey('ann')], [], null],
    [usual, [factor('totp')], [], 'proven'],
  ] as const)(
    'depends on the risk facts %j, the proofs %j and the remembered accounts %j, and results in %j',
    (riskFacts, proofs, remembered, outcome) => {
      const facts = factsOf({ risk: riskFacts, holdings: [app], remembered })
      expect(decisionOf(signingIn(...proofs), addressed, facts)).toEqual(outcome)
    },
  )

  it('requires the factor under another policy unless the sign-in is usual and from a remembered browser', () => {
    const facts = factsOf({ common: ['adaptive', 'optional'], holdings: [app], remembered: ['ann'] })
    expect(decisionOf(signingIn(), ann, { ...facts, risk: usual })).toBe('remembered')
    expect(decisionOf(signingIn(), ann, facts)).toEqual([
      required,
      { factors: ['totp', 'backupCode'], backupCodesLeft: 1, unusual: true },
    ])
  })
})

describe('a sign-in to an account without a factor', () => {
  const asksFor = (...factors: string[]) => [required, { factors, mayRemember: false, unusual: true }]
  const byMail = byEmail('Ann@example.com')
  const reported = { ...byEmail(address), connectorId: 'github' }
  it.each<[string, Account, Partial<Interaction>, unknown]>([
    ['has a verified address', addressed, {}, asksFor('email')],
    ['has a choice of addresses', reachable, {}, asksFor('phone', 'email')],
    [
      'has entered a code sent to the address',
      addressed,
      { proofs: [byPassword('ann'), factor('emailFactor')] },
      'missing',
    ],
    ['began with a code sent to the address', addressed, { proofs: [byMail] }, 'missing'],
    ['began with a code sent to one of two addresses', reachable, { proofs: [byMail] }, asksFor('phone')],
    [
      'began with a code sent to the other address',
      reachable,
      { proofs: [byPhone('111')] },
      asksFor('email'),
    ],
    ["began with a code sent to somebody else's address", ann, { proofs: [byMail] }, [refused]],
    [
      'signs in with a provider that reports the address',
      addressed,
      { proofs: [bySocial('github', { id: '1' }), reported] },
      asksFor('email'),
    ],
    [
      'has just reset the password with the address',
      addressed,
      { afterReset: formatResetName({ userId: 'ann', channels: ['email'] }, 'id') },
      'missing',
    ],
    [
      'has reset the password with one of two addresses',
      reachable,
      { afterReset: formatResetName({ userId: 'ann', channels: ['email'] }, 'id') },
      asksFor('phone'),
    ],
    // The reset verified another account's address, so this account's address must still be verified.
    [
      'has reset the password of another account',
      addressed,
      { afterReset: formatResetName({ userId: 'eve', channels: ['email'] }, 'id') },
      asksFor('email'),
    ],
    ['has no address', ann, {}, [refused]],
    ['has no verified address', { ...addressed, emailVerified: false }, {}, [refused]],
    // Anyone who knows the password could have set up the app.
    ['sets up an app', ann, { enrolment }, [refused]],
    ['sets up an app and has an address', addressed, { enrolment }, asksFor('email')],
  ])('has the expected result if the user %s', (_, account, interaction, outcome) => {
    expect(decisionOf({ ...signingIn(), ...interaction }, account, factsOf({}))).toEqual(outcome)
    const usualDecision = decisionOf({ ...signingIn(), ...interaction }, account, factsOf({ risk: usual }))
    expect(usualDecision).toBe(interaction.enrolment ? 'missing' : null)
  })

  it('requires a verified address before the user sets up a factor that another policy requires', () => {
    const facts = factsOf({ common: ['required', 'adaptive'] })
    expect(decisionOf(signingIn(), addressed, facts)).toEqual(asksFor('email'))
    expect(decisionOf(signingIn(factor('emailFactor')), addressed, facts)).toEqual([
      'user.second_factor_missing',
      { factors: ['totp'] },
    ])
    const both = { ...signingIn(factor('emailFactor')), enrolment }
    expect(decideFactor(both, addressed, facts)).toEqual({ kind: 'missing', enrolment, passkeys: 0 })
  })

  it('allows codes only for the address types in the challenge', () => {
    const challenge = (interaction: Interaction, facts: SecondFactorFacts) => {
      const outcome = decideFactor(interaction, reachable, facts)
      return withAddressChallenge(interaction, outcome ?? {}, facts.factors)
    }
    const once = challenge(signingIn(), factsOf({}))
    expect(once.addressChallenge).toEqual(['phone', 'email'])
    expect(challenge(once, factsOf({}))).toBe(once)
    // Factors that the tenant accepts anyway are not listed in `addressChallenge`.
    expect(challenge(signingIn(), factsOf({ factors: ['email'] })).addressChallenge).toBeUndefined()
    expect(challenge(once, factsOf({ holdings: [app] })).addressChallenge).toEqual([])
    const allowed = { ...signingIn(factor('emailFactor')), addressChallenge: ['email' as const] }
    expect(challenge(allowed, factsOf({}))).toBe(allowed)
  })
})

describe('a recently added factor', () => {
  const now = 100 * HOUR
  const [recent, old] = [now - 71 * HOUR, now - 72 * HOUR]
  const asksFor = (...factors: string[]) => [required, { factors, mayRemember: false, unusual: true }]
  const withCodes = { ...app, backupCodes: 9 }
  const key = { ...app, totp: false, backupCodes: 0, passkeys: 1 }
  const everything = { ...withCodes, passkeys: 2 }
  const passkeys = [
    { id: 'kept', at: recent },
    { id: 'older', at: old },
  ]
  const recentApp = { totp: recent, backupCode: recent }
  const mail = factor('emailFactor')
  const present = (credentialId: string): Proof => ({
    kind: 'passkey',
    userId: 'ann',
    provenAt: 2,
    credentialId,
    isUserVerified: false,
    isBackedUp: false,
  })
  const onlyKeys = { factors: ['totp', 'passkey'] as const }

  it.each<
    [string, Account, Partial<AddedFactors>, Partial<SecondFactorFacts>, Partial<Interaction>, unknown]
  >([
    ['is required if no factor or address is older', ann, recentApp, {}, {}, asksFor('totp', 'backupCode')],
    ['is accepted if no factor or address is older', ann, recentApp, {}, signingIn(factor('totp')), 'proven'],
    [
      'is not accepted if the account has an older address',
      addressed,
      recentApp,
      {},
      signingIn(factor('totp')),
      asksFor('email'),
    ],
    [
      'is not accepted as a backup code',
      addressed,
      recentApp,
      {},
      signingIn(factor('backupCode')),
      asksFor('email'),
    ],
    [
      'is not required after an older address has been verified',
      addressed,
      recentApp,
      {},
      signingIn(mail),
      null,
    ],
    [
      'is accepted if the address is also recent',
      addressed,
      { ...recentApp, email: recent },
      {},
      signingIn(factor('totp')),
      'proven',
    ],
    ['is accepted after 72 hours', addressed, { totp: old }, {}, signingIn(factor('totp')), 'proven'],
    [
      'is accepted if the sign-in began with an older address',
      addressed,
      recentApp,
      {},
      { proofs: [byEmail(address), factor('totp')] },
      'proven',
    ],
    [
      'is not accepted if the account has an older passkey',
      addressed,
      { ...recentApp, passkeys },
      { ...onlyKeys, holdings: [everything] },
      signingIn(factor('totp'), present('kept')),
      asksFor('passkey'),
    ],
    [
      'does not prevent the use of an older passkey',
      addressed,
      { ...recentApp, passkeys },
      { ...onlyKeys, holdings: [everything] },
      signingIn(present('older')),
      'proven',
    ],
    [
      'is not accepted as a sign-in passkey, even if passkeys are not second factors',
      addressed,
      { passkeys: passkeys.slice(0, 1) },
      { holdings: [key] },
      { proofs: [byPasskey('ann')] },
      asksFor('email'),
    ],
    [
      'is accepted as a sign-in passkey if no factor or address is older',
      ann,
      { passkeys },
      { holdings: [key] },
      { proofs: [byPasskey('ann')] },
      null,
    ],
    [
      'is not required after a sign-in with an older passkey',
      addressed,
      { passkeys },
      { ...onlyKeys, holdings: [{ ...key, passkeys: 2 }] },
      { proofs: [byPasskey('ann', 'older')] },
      null,
    ],
    [
      'is not required if it is a phone number and the account has an older address',
      reachable,
      { phone: recent },
      { holdings: [] },
      {},
      asksFor('email'),
    ],
  ])('%s', (_, account, added, facts, interaction, outcome) => {
    const allFacts = factsOf({ risk: risk('FR', added, now), holdings: [withCodes], ...facts })
    expect(decisionOf({ ...signingIn(), ...interaction }, account, allFacts)).toEqual(outcome)
    expect(findRisks(account, { ...allFacts, risk: risk('DE', added, now) })).toEqual([])
  })

  it('is still required by other policies once an older address has been verified', () => {
    const facts = factsOf({
      common: ['adaptive', 'optional'],
      holdings: [withCodes],
      risk: risk('FR', recentApp, now),
    })
    expect(decisionOf(signingIn(), addressed, facts)).toEqual(asksFor('email'))
    expect(decisionOf(signingIn(mail), addressed, facts)).toEqual([
      required,
      { factors: ['totp', 'backupCode'] },
    ])
    expect(decisionOf(signingIn(mail, factor('totp')), addressed, facts)).toBe('proven')
  })
})

it('the risk rules apply only if a policy is `adaptive`', () => {
  const here = { risk: unusual }
  expect(findRisks(ann, { ...here, common: ['adaptive'], ofAccounts: [] })).toEqual(['newCountry'])
  expect(findRisks(ann, { ...here, common: ['required'], ofAccounts: [] })).toEqual([])
  const role = (userId: string) => [{ userId, policy: 'adaptive' as const }]
  expect(findRisks(ann, { ...here, common: ['off'], ofAccounts: role('ann') })).toEqual(['newCountry'])
  expect(findRisks(ann, { ...here, common: ['off'], ofAccounts: role('bob') })).toEqual([])
  expect(findRisks(buildAccount({ id: 'bob' }), { ...here, common: ['adaptive'], ofAccounts: [] })).toEqual(
    [],
  )
})

it('a change of credentials is treated like an unusual sign-in', () => {
  expect(
    assumeUnusualSignIn({
      common: ['off', 'adaptive'],
      ofAccounts: [{ userId: 'ann', policy: 'adaptive' }],
      administrators: ['ann'],
    }),
  ).toEqual({
    common: ['off', 'optional'],
    ofAccounts: [{ userId: 'ann', policy: 'optional' }],
    administrators: ['ann'],
  })
})

/** Tests every combination of policies in every situation that affects the decision. */
describe('combined policies', () => {
  const sets = Array.from({ length: 2 ** secondFactorPolicies.length }, (_, bits) =>
    secondFactorPolicies.filter((_, position) => bits & (1 << position)),
  )
  const recent = risk('FR', { totp: 1, passkeys: [{ id: 'kept', at: 1 }], phone: 1 })
  const situations = [unusual, usual, recent].flatMap((riskFacts) =>
    [ann, addressed, reachable].flatMap((account) =>
      [[], [app], [{ ...app, deferrals: 3, totp: false, backupCodes: 0 }]].flatMap((holdings) =>
        [[], [factor('totp')], [factor('emailFactor')], [factor('phoneFactor')], [byPasskey('ann')]].flatMap(
          (proofs) =>
            [[], ['ann']].flatMap((remembered) =>
              [{}, { enrolment }, { putsOffSecondFactor: true as const }].flatMap((more) =>
                [false, true].flatMap((requestsTwoFactors) =>
                  (['totp', 'email'] as const).map((kind) => ({
                    account,
                    interaction: { ...signingIn(...proofs), ...more },
                    facts: factsOf({
                      risk: riskFacts,
                      holdings,
                      requestsTwoFactors,
                      factors: [kind],
                      remembered: requestsTwoFactors ? [] : remembered,
                    }),
                  })),
                ),
              ),
            ),
        ),
      ),
    ),
  )

  it('reject every sign-in that at least one of them rejects', () => {
    let refusals = 0
    const missed = situations.flatMap(({ account, interaction, facts }) => {
      const isRefused = (common: SecondFactorPolicy[]) =>
        isRefusal(decideFactor(interaction, account, { ...facts, common }))
      const refusedBy = new Map(secondFactorPolicies.map((policy) => [policy, isRefused([policy])]))
      return sets.filter((set) => {
        const isStricter = set.some((policy) => refusedBy.get(policy))
        const isSetRefused = isRefused(set)
        if (isSetRefused) refusals += 1
        return isStricter && !isSetRefused
      })
    })
    expect(missed).toEqual([])
    expect(refusals).toBeGreaterThan(situations.length)
  })

  it('require no factor for a usual sign-in if they are only `adaptive` and `off`', () => {
    const refused = situations.filter(
      ({ account, interaction, facts }) =>
        !facts.requestsTwoFactors &&
        facts.risk === usual &&
        isRefusal(decideFactor(interaction, account, { ...facts, common: ['off', 'adaptive'] })),
    )
    expect(refused).toEqual([])
  })
})
