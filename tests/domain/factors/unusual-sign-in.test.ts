import { describe, expect, it } from 'vitest'
import type { Interaction, Proof } from '../../../src/contract/interactions/interaction.ts'
import { isRefusal } from '../../../src/contract/refused.ts'
import { type SecondFactorPolicy, secondFactorPolicies } from '../../../src/contract/tenants/settings.ts'
import { HOUR } from '../../../src/contract/time.ts'
import { decideFactor, withAddressChallenge } from '../../../src/domain/factors/factor-decision.ts'
import type { SecondFactorFacts } from '../../../src/domain/factors/second-factor.ts'
import { assumingUnusual, risksOf } from '../../../src/domain/factors/second-factor-policy.ts'
import type { AddedFactors } from '../../../src/domain/factors/sign-in-risk.ts'
import type { Account } from '../../../src/domain/interactions/accounts.ts'
import { formatResetName } from '../../../src/domain/passwords/password-reset.ts'
import { byEmail, byPasskey, byPassword, byPhone, bySocial, givenAccount } from '../given.ts'

/** `adaptive`, beside other policies (spec/accounts#unusual-sign-in). */

const ann = givenAccount({ id: 'ann' })
const address = 'ann@example.com'
const addressed = givenAccount({ id: 'ann', email: address, phone: '111', phoneVerified: false })
const reachable = givenAccount({ id: 'ann', email: address, phone: '111' })

const germany = { country: 'DE', coordinates: null }
const noAges = { totp: null, backupCode: null, passkeys: [], phone: null, email: null }
const risk = (here: string, added: Partial<AddedFactors> = {}, now = 2) => ({
  now,
  here: { country: here, coordinates: null },
  histories: [
    {
      ...{ userId: 'ann', knowsBrowser: true, places: [{ ...germany, at: 1 }] },
      added: { ...noAges, ...added },
    },
  ],
})
const unusual = risk('FR')
const usual = risk('DE')

const factsOf = (more: Partial<SecondFactorFacts>): SecondFactorFacts => ({
  common: ['adaptive'],
  ofRoles: [],
  asksForTwoFactors: false,
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

function decided(interaction: Interaction, account: Account, facts: SecondFactorFacts) {
  const outcome = decideFactor(interaction, account, facts)
  return isRefusal(outcome)
    ? [outcome.code, ...(outcome.data ? [outcome.data] : [])]
    : (outcome?.kind ?? null)
}

describe('an account with a factor', () => {
  it.each([
    [usual, [], [], null],
    [undefined, [], [], null],
    [
      unusual,
      [],
      [],
      [required, { factors: ['totp', 'backupCode'], backupCodesLeft: 1, mayRemember: false, unusual: true }],
    ],
    // The one that remembers may be the one that was stolen.
    [
      unusual,
      [],
      ['ann'],
      [required, { factors: ['totp', 'backupCode'], backupCodesLeft: 1, mayRemember: false, unusual: true }],
    ],
    [unusual, [factor('totp')], [], 'proven'],
    [unusual, [factor('backupCode')], [], 'proven'],
    // It is no factor of the account.
    [unusual, [factor('emailFactor')], [], [required, expect.anything()]],
    [unusual, [byPasskey('ann')], [], null],
    [usual, [factor('totp')], [], 'proven'],
  ] as const)('at %j with %j, remembered for %j: %j', (given, proofs, remembered, outcome) => {
    const facts = factsOf({ risk: given, holdings: [app], remembered })
    expect(decided(signingIn(...proofs), addressed, facts)).toEqual(outcome)
  })

  it('is asked for it wherever another policy asks, and a remembered browser counts for that one', () => {
    const facts = factsOf({ common: ['adaptive', 'optional'], holdings: [app], remembered: ['ann'] })
    expect(decided(signingIn(), ann, { ...facts, risk: usual })).toBe('remembered')
    expect(decided(signingIn(), ann, facts)).toEqual([
      required,
      { factors: ['totp', 'backupCode'], backupCodesLeft: 1, unusual: true },
    ])
  })
})

describe('an account without a factor', () => {
  const asksFor = (...factors: string[]) => [required, { factors, mayRemember: false, unusual: true }]
  const byMail = byEmail('Ann@example.com')
  const reported = { ...byEmail(address), connectorId: 'github' }
  it.each<[string, Account, Partial<Interaction>, unknown]>([
    ['is sent a code', addressed, {}, asksFor('email')],
    ['has the choice', reachable, {}, asksFor('phone', 'email')],
    ['shows it', addressed, { proofs: [byPassword('ann'), factor('emailFactor')] }, 'missing'],
    ['began with it', addressed, { proofs: [byMail] }, 'missing'],
    ['began with one of two', reachable, { proofs: [byMail] }, asksFor('phone')],
    ['began with the other one', reachable, { proofs: [byPhone('111')] }, asksFor('email')],
    ['began with an address of somebody else', ann, { proofs: [byMail] }, [refused]],
    [
      'was reported by a provider',
      addressed,
      { proofs: [bySocial('github', { id: '1' }), reported] },
      asksFor('email'),
    ],
    [
      'has just reset the password by it',
      addressed,
      { afterReset: formatResetName({ userId: 'ann', channels: ['email'] }, 'id') },
      'missing',
    ],
    [
      'has reset by one of two',
      reachable,
      { afterReset: formatResetName({ userId: 'ann', channels: ['email'] }, 'id') },
      asksFor('phone'),
    ],
    // Whoever is sent that code reads another mailbox.
    [
      'follows a reset of another account',
      addressed,
      { afterReset: formatResetName({ userId: 'eve', channels: ['email'] }, 'id') },
      asksFor('email'),
    ],
    ['has none', ann, {}, [refused]],
    ['has none that is verified', { ...addressed, emailVerified: false }, {}, [refused]],
    // Whoever has the password could have set it up.
    ['sets an app up', ann, { enrolment }, [refused]],
    ['sets an app up, and has an address', addressed, { enrolment }, asksFor('email')],
  ])('which %s', (_, account, interaction, outcome) => {
    expect(decided({ ...signingIn(), ...interaction }, account, factsOf({}))).toEqual(outcome)
    const isAsked = decided({ ...signingIn(), ...interaction }, account, factsOf({ risk: usual }))
    expect(isAsked).toBe(interaction.enrolment ? 'missing' : null)
  })

  it('shows an address before it sets up what another policy requires', () => {
    const facts = factsOf({ common: ['required', 'adaptive'] })
    expect(decided(signingIn(), addressed, facts)).toEqual(asksFor('email'))
    expect(decided(signingIn(factor('emailFactor')), addressed, facts)).toEqual([
      'user.second_factor_missing',
      { factors: ['totp'] },
    ])
    const both = { ...signingIn(factor('emailFactor')), enrolment }
    expect(decideFactor(both, addressed, facts)).toEqual({ kind: 'missing', enrolment, passkeys: 0 })
  })

  it('may be sent codes to the addresses that were asked for alone', () => {
    const challenged = (interaction: Interaction, facts: SecondFactorFacts) => {
      const outcome = decideFactor(interaction, reachable, facts)
      return withAddressChallenge(interaction, outcome ?? {}, facts)
    }
    const once = challenged(signingIn(), factsOf({}))
    expect(once.addressChallenge).toEqual(['phone', 'email'])
    expect(challenged(once, factsOf({}))).toBe(once)
    // What the tenant takes needs no permission.
    expect(challenged(signingIn(), factsOf({ factors: ['email'] })).addressChallenge).toBeUndefined()
    expect(challenged(once, factsOf({ holdings: [app] })).addressChallenge).toEqual([])
    const allowed = { ...signingIn(factor('emailFactor')), addressChallenge: ['email' as const] }
    expect(challenged(allowed, factsOf({}))).toBe(allowed)
  })
})

describe('a factor that was added lately', () => {
  const now = 100 * HOUR
  const [young, old] = [now - 71 * HOUR, now - 72 * HOUR]
  const asksFor = (...factors: string[]) => [required, { factors, mayRemember: false, unusual: true }]
  const withCodes = { ...app, backupCodes: 9 }
  const key = { ...app, totp: false, backupCodes: 0, passkeys: 1 }
  const everything = { ...withCodes, passkeys: 2 }
  const passkeys = [
    { id: 'kept', at: young },
    { id: 'older', at: old },
  ]
  const isYoung = { totp: young, backupCode: young }
  const mail = factor('emailFactor')
  const present = (credentialId: string): Proof => ({
    ...{ kind: 'passkey', userId: 'ann', provenAt: 2, credentialId },
    ...{ isUserVerified: false, isBackedUp: false },
  })
  const onlyKeys = { factors: ['totp', 'passkey'] as const }

  it.each<
    [string, Account, Partial<AddedFactors>, Partial<SecondFactorFacts>, Partial<Interaction>, unknown]
  >([
    ['is asked for where nothing is older', ann, isYoung, {}, {}, asksFor('totp', 'backupCode')],
    ['answers where nothing is older', ann, isYoung, {}, signingIn(factor('totp')), 'proven'],
    [
      'does not answer beside an address',
      addressed,
      isYoung,
      {},
      signingIn(factor('totp')),
      asksFor('email'),
    ],
    ['nor do its codes', addressed, isYoung, {}, signingIn(factor('backupCode')), asksFor('email')],
    ['is not asked for behind the address', addressed, isYoung, {}, signingIn(mail), null],
    [
      'counts beside an address that was added lately',
      addressed,
      { ...isYoung, email: young },
      {},
      signingIn(factor('totp')),
      'proven',
    ],
    ['counts after 72 hours', addressed, { totp: old }, {}, signingIn(factor('totp')), 'proven'],
    [
      'counts beside the address that began',
      addressed,
      isYoung,
      {},
      { proofs: [byEmail(address), factor('totp')] },
      'proven',
    ],
    [
      'does not answer beside an older key',
      addressed,
      { ...isYoung, passkeys },
      { ...onlyKeys, holdings: [everything] },
      signingIn(factor('totp'), present('kept')),
      asksFor('passkey'),
    ],
    [
      'does not keep an older key from answering',
      addressed,
      { ...isYoung, passkeys },
      { ...onlyKeys, holdings: [everything] },
      signingIn(present('older')),
      'proven',
    ],
    [
      'is no passkey to sign in with, whether the tenant lists it or not',
      addressed,
      { passkeys: passkeys.slice(0, 1) },
      { holdings: [key] },
      { proofs: [byPasskey('ann')] },
      asksFor('email'),
    ],
    [
      'is one, where nothing is older',
      ann,
      { passkeys },
      { holdings: [key] },
      { proofs: [byPasskey('ann')] },
      null,
    ],
    [
      'is none behind the older one',
      addressed,
      { passkeys },
      { ...onlyKeys, holdings: [{ ...key, passkeys: 2 }] },
      { proofs: [byPasskey('ann', 'older')] },
      null,
    ],
    [
      'is no number beside the older address',
      reachable,
      { phone: young },
      { holdings: [] },
      {},
      asksFor('email'),
    ],
  ])('%s', (_, account, added, facts, interaction, outcome) => {
    const given = factsOf({ risk: risk('FR', added, now), holdings: [withCodes], ...facts })
    expect(decided({ ...signingIn(), ...interaction }, account, given)).toEqual(outcome)
    expect(risksOf(account, { ...given, risk: risk('DE', added, now) })).toEqual([])
  })

  it('is what other policies ask for, behind the older address', () => {
    const facts = factsOf({
      ...{ common: ['adaptive', 'optional'], holdings: [withCodes], risk: risk('FR', isYoung, now) },
    })
    expect(decided(signingIn(), addressed, facts)).toEqual(asksFor('email'))
    expect(decided(signingIn(mail), addressed, facts)).toEqual([
      required,
      { factors: ['totp', 'backupCode'] },
    ])
    expect(decided(signingIn(mail, factor('totp')), addressed, facts)).toBe('proven')
  })
})

it('the rules count where the policy of the account is `adaptive`', () => {
  const here = { risk: unusual }
  expect(risksOf(ann, { ...here, common: ['adaptive'], ofRoles: [] })).toEqual(['newCountry'])
  expect(risksOf(ann, { ...here, common: ['required'], ofRoles: [] })).toEqual([])
  const role = (userId: string) => [{ userId, policy: 'adaptive' as const }]
  expect(risksOf(ann, { ...here, common: ['off'], ofRoles: role('ann') })).toEqual(['newCountry'])
  expect(risksOf(ann, { ...here, common: ['off'], ofRoles: role('bob') })).toEqual([])
  expect(risksOf(givenAccount({ id: 'bob' }), { ...here, common: ['adaptive'], ofRoles: [] })).toEqual([])
})

it('a change of credentials is asked for what an unusual sign-in would be', () => {
  expect(
    assumingUnusual({ common: ['off', 'adaptive'], ofRoles: [{ userId: 'ann', policy: 'adaptive' }] }),
  ).toEqual({
    common: ['off', 'optional'],
    ofRoles: [{ userId: 'ann', policy: 'optional' }],
  })
})

/** Every subset of the policies, in every situation that the decision tells apart. */
describe('policies together', () => {
  const sets = Array.from({ length: 2 ** secondFactorPolicies.length }, (_, bits) =>
    secondFactorPolicies.filter((_, position) => bits & (1 << position)),
  )
  const recent = risk('FR', { totp: 1, passkeys: [{ id: 'kept', at: 1 }], phone: 1 })
  const situations = [unusual, usual, recent].flatMap((given) =>
    [ann, addressed, reachable].flatMap((account) =>
      [[], [app], [{ ...app, deferrals: 3, totp: false, backupCodes: 0 }]].flatMap((holdings) =>
        [[], [factor('totp')], [factor('emailFactor')], [factor('phoneFactor')], [byPasskey('ann')]].flatMap(
          (proofs) =>
            [[], ['ann']].flatMap((remembered) =>
              [{}, { enrolment }, { putsOffSecondFactor: true as const }].flatMap((more) =>
                [false, true].flatMap((asksForTwoFactors) =>
                  (['totp', 'email'] as const).map((taken) => ({
                    account,
                    interaction: { ...signingIn(...proofs), ...more },
                    facts: factsOf({
                      risk: given,
                      holdings,
                      asksForTwoFactors,
                      factors: [taken],
                      remembered: asksForTwoFactors ? [] : remembered,
                    }),
                  })),
                ),
              ),
            ),
        ),
      ),
    ),
  )

  it('let nobody in whom one of them alone would refuse', () => {
    let refusals = 0
    const missed = situations.flatMap(({ account, interaction, facts }) => {
      const isRefused = (common: SecondFactorPolicy[]) =>
        isRefusal(decideFactor(interaction, account, { ...facts, common }))
      const alone = new Map(secondFactorPolicies.map((one) => [one, isRefused([one])]))
      return sets.filter((set) => {
        const isStricter = set.some((one) => alone.get(one))
        const together = isRefused(set)
        if (together) refusals += 1
        return isStricter && !together
      })
    })
    expect(missed).toEqual([])
    expect(refusals).toBeGreaterThan(situations.length)
  })

  it('ask nobody at a usual sign-in where `adaptive` is the only one, or beside `off`', () => {
    const asked = situations.filter(
      ({ account, interaction, facts }) =>
        !facts.asksForTwoFactors &&
        facts.risk === usual &&
        isRefusal(decideFactor(interaction, account, { ...facts, common: ['off', 'adaptive'] })),
    )
    expect(asked).toEqual([])
  })
})
