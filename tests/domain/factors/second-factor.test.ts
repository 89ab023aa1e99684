import { describe, expect, it } from 'vitest'
import type { Enrolment, Interaction, Proof } from '../../../src/contract/interactions/interaction.ts'
import { isRefusal } from '../../../src/contract/refused.ts'
import {
  DEFAULT_TENANT_SETTINGS,
  type SecondFactorPolicy,
  secondFactorKinds,
} from '../../../src/contract/tenants/settings.ts'
import { decideFactor, isDeferred } from '../../../src/domain/factors/factor-decision.ts'
import {
  acceptedFactors,
  checkEnrolment,
  type EnrolledFactors,
  factorAddress,
  listAvailableFactors,
} from '../../../src/domain/factors/second-factor.ts'
import { demands } from '../../../src/domain/factors/second-factor-policy.ts'
import { secondFactorFacts } from '../../../src/domain/interactions/submit-facts.ts'
import { formatResetName } from '../../../src/domain/passwords/password-reset.ts'
import { buildAccount, byEmail, byPassword, byPhone } from '../given.ts'

const ann = buildAccount({ id: 'ann' })
const totp: Proof = { kind: 'totp', userId: 'ann', provenAt: 11 }
const passkey: Proof = {
  kind: 'passkey',
  userId: 'ann',
  provenAt: 11,
  credentialId: 'c',
  isUserVerified: true,
  isBackedUp: false,
}
const proven: Enrolment = { secret: 'A', proven: { step: 1, digests: [] } }
const signingIn = (proofs: Proof[], enrolment?: Enrolment): Interaction => ({
  event: 'SignIn',
  proofs: [byPassword('ann'), ...proofs],
  enrolment,
})

const asks = (policy: SecondFactorPolicy) => ({
  common: [policy],
  ofAccounts: [],
  requestsTwoFactors: false,
  maxDeferrals: 3,
})

const refusalOf = (...args: Parameters<typeof decideFactor>) => {
  const outcome = decideFactor(...args)
  return isRefusal(outcome) ? outcome : null
}

const registering = (): Interaction => ({ event: 'Register', proofs: [] })
const enrolmentFacts = (more: Partial<Parameters<typeof checkEnrolment>[1]>) => ({
  demand: 'required' as const,
  deferralsLeft: 1,
  factors: ['totp'] as const,
  ...more,
})

const required = 'user.second_factor_required'
const missing = 'user.second_factor_missing'

const enrolledWith = (more: Partial<EnrolledFactors>): EnrolledFactors => ({
  userId: 'ann',
  totp: true,
  backupCodes: 2,
  passkeys: 0,
  deferrals: 0,
  ...more,
})

describe('the accepted second factors (spec/accounts#factors-of-account)', () => {
  const all = { totp: true, backupCodes: 1, passkeys: 2 }
  const none = { totp: false, backupCodes: 0, passkeys: 0 }
  const verified = { email: 'Ann@example.com', emailVerified: true, phone: '111', phoneVerified: true }
  const everyKind = [...secondFactorKinds]
  const byMail = { proofs: [byEmail('ann@Example.com')] }
  const reported = [{ ...byEmail('ann@example.com'), connectorId: 'github' }]
  it.each([
    // Columns: account, enrolled factors, the tenant's kinds, interaction, and the expected factors in the order in
    // which they are offered.
    [verified, all, everyKind, {}, ['passkey', 'totp', 'phone', 'email', 'backupCode']],
    [verified, all, ['totp', 'passkey'], {}, ['passkey', 'totp', 'backupCode']],
    [verified, { ...all, backupCodes: 0 }, ['totp'], {}, ['totp']],
    [verified, none, ['email'], { proofs: reported }, ['email']],
    // Anyone with access to the mailbox can create a social account with this address.
    [verified, none, ['email'], { proofs: reported, profile: { connectorId: 'github' } }, []],
    [{}, none, everyKind, {}, []],
    [{}, { ...none, backupCodes: 3 }, everyKind, {}, []],
    [verified, { ...none, backupCodes: 3 }, ['email'], {}, ['email', 'backupCode']],
    [verified, none, ['totp', 'passkey'], {}, []],
    [{ ...verified, emailVerified: false }, none, everyKind, {}, ['phone']],
    [{ ...verified, phoneVerified: false }, none, everyKind, {}, ['email']],
    [{ ...verified, phone: null }, none, everyKind, {}, ['email']],
    [verified, none, everyKind, byMail, ['phone']],
    [verified, none, everyKind, { proofs: [byPhone('111')] }, ['email']],
    // An address that a provider reports does not count as this account's first factor, and neither does another
    // account's address.
    [verified, none, everyKind, { proofs: reported }, ['phone', 'email']],
    [verified, none, everyKind, { proofs: [byEmail('eve@example.com')] }, ['phone', 'email']],
    [
      verified,
      none,
      everyKind,
      { afterReset: formatResetName({ userId: 'ann', channels: ['email'] }, 'id') },
      ['phone'],
    ],
    [
      verified,
      none,
      everyKind,
      { afterReset: formatResetName({ userId: 'ann', channels: ['phone', 'email'] }, 'id') },
      [],
    ],
    // Resetting another account's password does not count as this account's first factor.
    [
      verified,
      none,
      everyKind,
      { afterReset: formatResetName({ userId: 'eve', channels: ['phone', 'email'] }, 'id') },
      ['phone', 'email'],
    ],
    [verified, none, everyKind, { afterReset: 'of-an-earlier-version' }, ['phone', 'email']],
    [verified, none, everyKind, { afterReset: 'email of-an-earlier-version' }, ['phone', 'email']],
  ] as const)(
    'depend on the account %j, the enrolled factors %j, the tenant kinds %j and the interaction %j: %j',
    (account, holding, factors, interaction, expected) => {
      const attempt = { ...signingIn([]), ...interaction } as Interaction
      expect(
        listAvailableFactors({ ...ann, ...account }, enrolledWith(holding), { factors }, attempt),
      ).toEqual(expected)
    },
  )

  it.each([
    ['passkey', { ...passkey, isUserVerified: false }],
    ['email', { ...totp, kind: 'emailFactor' }],
    ['phone', { ...totp, kind: 'phoneFactor' }],
    ['totp', totp],
  ] as const)('include %s only if the tenant accepts this kind', (kind, proof) => {
    const refusal = (factors: typeof everyKind) =>
      refusalOf(
        signingIn([proof]),
        { ...ann, ...verified },
        { ...asks('optional'), factors, holdings: [enrolledWith({ ...all })] },
      )
    expect(refusal(everyKind)).toBeNull()
    expect(refusal([kind])).toBeNull()
    expect(refusal(everyKind.filter((other) => other !== kind))?.code).toBe(required)
  })

  it('include passkeys only if they are enabled', () => {
    const { secondFactor, passkeys } = DEFAULT_TENANT_SETTINGS
    const accepted = (enabled: boolean) =>
      acceptedFactors({
        secondFactor: { ...secondFactor, factors: ['totp', 'passkey'] },
        passkeys: { ...passkeys, enabled },
      })
    expect([accepted(true), accepted(false)]).toEqual([['totp', 'passkey'], ['totp']])
  })

  it('include addresses to which a code can be sent', () => {
    const account = { ...ann, ...verified, phoneVerified: false }
    const addressOf = (channel: 'email' | 'phone', interaction = signingIn([])) =>
      factorAddress(channel, account, interaction)
    expect(addressOf('email')).toEqual({ type: 'email', value: 'Ann@example.com' })
    expect(addressOf('phone')).toBeNull()
    expect(addressOf('email', signingIn([byEmail('ann@example.com')]))).toBeNull()
  })

  it.each([
    [['totp', 'email', 'phone'], {}, missing, ['totp']],
    [['email'], {}, missing, ['totp']],
    [['email'], { passkeys: 1 }, missing, ['totp']],
    [['passkey', 'email'], { passkeys: 1 }, required, ['passkey']],
    [['passkey', 'email'], { totp: true, passkeys: 1 }, required, ['passkey', 'totp']],
  ] as const)(
    'are an app and accepted passkeys for administrators who need one, if the tenant lists %j and they have %j',
    (factors, holding, code, named) => {
      const facts = {
        ...asks('required'),
        administrators: ['ann'],
        factors,
        holdings: [enrolledWith({ ...none, ...holding })],
      }
      const emailCode: Proof = { ...totp, kind: 'emailFactor' }
      expect(refusalOf(signingIn([emailCode]), { ...ann, ...verified }, facts)).toMatchObject({
        code,
        data: { factors: named },
      })
    },
  )

  it('are listed in the error, with the number of backup codes if few are left', () => {
    const facts = {
      ...asks('optional'),
      factors: everyKind,
      holdings: [enrolledWith({ totp: false, passkeys: 1 })],
    } as const
    expect(refusalOf(signingIn([]), { ...ann, ...verified }, facts)?.data).toEqual({
      factors: ['passkey', 'phone', 'email', 'backupCode'],
      backupCodesLeft: 2,
    })
  })
})

describe('the need for a second factor (spec/accounts#second-factor-policy)', () => {
  it.each([
    // Columns: policy, whether an app is enrolled, proofs, enrolment, and error.
    ['off', true, [], undefined, null],
    ['off', false, [], undefined, null],
    ['optional', false, [], undefined, null],
    ['optional', true, [], undefined, required],
    ['optional', true, [totp], undefined, null],
    ['optional', true, [{ ...totp, kind: 'backupCode' }], undefined, null],
    ['optional', true, [{ ...totp, userId: 'bob' }], undefined, required],
    ['optional', true, [], proven, required],
    ['optional', true, [passkey], undefined, null],
    ['optional', true, [{ ...passkey, isUserVerified: false }], undefined, required],
    ['optional', true, [{ ...totp, kind: 'emailFactor' }], undefined, required],
    ['required', true, [], undefined, required],
    ['required', true, [totp], undefined, null],
    ['required', false, [], undefined, missing],
    ['required', false, [totp], undefined, missing],
    ['required', false, [], { secret: 'A' }, missing],
    ['required', false, [], proven, null],
    ['required', false, [passkey], undefined, null],
    ['required', false, [{ ...passkey, userId: 'bob' }], undefined, missing],
  ] as const)(
    'depends on the policy %s, the app %s, the proofs %j and the enrolment %j, and results in the error %s',
    (policy, holds, proofs, enrolment, refusal) => {
      const holdings = [enrolledWith({ userId: 'bob' }), ...(holds ? [enrolledWith({})] : [])]
      const facts = { ...asks(policy), factors: ['totp'] as const, holdings }
      expect(refusalOf(signingIn([...proofs], enrolment), ann, facts)?.code ?? null).toBe(refusal)
    },
  )

  it.each([
    ['optional', ['ann'], ['ann'], null],
    ['required', ['ann'], ['ann'], null],
    ['required', ['ann'], ['bob'], required],
    // A remembered browser is ignored once the account's factor has been removed.
    ['required', [], ['ann'], missing],
  ] as const)(
    'depends on the policy %s, the accounts with an app %j and the remembered accounts %j, and results in the error %s',
    (policy, holders, remembered, refusal) => {
      const holdings = holders.map((userId) => enrolledWith({ userId }))
      const facts = { ...asks(policy), factors: ['totp'] as const, holdings, remembered }
      expect(refusalOf(signingIn([]), ann, facts)?.code ?? null).toBe(refusal)
    },
  )

  it.each<[Record<string, string>, number]>([
    [{}, 1],
    [{ acr_values: 'urn:vestibule:acr:1fa' }, 1],
    [{ acr_values: 'urn:vestibule:acr:2fa urn:vestibule:acr:1fa' }, 1],
    [{ acr_values: 'urn:vestibule:acr:2fa' }, 0],
    [{ acr_values: 'gold urn:vestibule:acr:2fa' }, 0],
    [{ acr_values: 'phr' }, 0],
    [{ claims: '{"id_token":{"acr":{"value":"phr"}}}' }, 1],
    [{ claims: '{"id_token":{"acr":{"essential":true,"value":"phr"}}}' }, 0],
    [{ claims: '{"id_token":{"acr":{"essential":true,"values":["urn:vestibule:acr:2fa","phr"]}}}' }, 0],
    [{ claims: '{"id_token":{"acr":{"essential":true}}}' }, 1],
  ])(
    'takes a remembered browser into account unless the request requires a second factor: %j, %d',
    (request, count) => {
      const { remembered } = secondFactorFacts(DEFAULT_TENANT_SETTINGS, {
        policies: { common: [], ofAccounts: [] },
        request,
        holdings: [],
        remembered: [{ userId: 'ann' }],
      })
      expect(remembered).toHaveLength(count)
    },
  )

  it('exists at registration if every user must have a factor', () => {
    const refusals = demands.map(
      (demand) => checkEnrolment(registering(), enrolmentFacts({ demand }))?.code ?? null,
    )
    expect(refusals).toEqual([null, null, null, missing, missing])
    for (const demand of demands) {
      const enrolled = { ...registering(), enrolment: proven }
      expect(checkEnrolment(enrolled, enrolmentFacts({ demand, deferralsLeft: 0 }))).toBeNull()
    }
  })

  it('is met for a new account by setting up an app, or by an address if the tenant accepts no apps', () => {
    const refusal = (interaction: Interaction, factors: (typeof secondFactorKinds)[number][]) =>
      checkEnrolment(interaction, enrolmentFacts({ factors }))?.data?.factors ?? null
    const addressed = { ...registering(), profile: { email: 'new@example.com' } }
    expect([
      refusal(addressed, ['totp', 'email']),
      refusal(addressed, ['email']),
      refusal(addressed, ['phone']),
      refusal(registering(), ['email']),
      refusal(signingIn([]), ['email']),
    ]).toEqual([['totp'], null, [], [], []])
  })

  it.each([
    // Columns: demand, deferrals left, whether a deferral is requested, and the data of the error.
    ['prompt', 2, false, { factors: ['totp'], putOffsLeft: 2 }],
    ['prompt', 2, true, undefined],
    ['prompt', 0, true, { factors: ['totp'] }],
    // The tenant now allows fewer deferrals than the user has already used.
    ['prompt', -1, true, { factors: ['totp'] }],
    ['required', 2, true, { factors: ['totp'] }],
  ] as const)(
    'depends on the demand `%s`, the %i deferrals left and the deferral request (%s), and results in %j',
    (demand, deferralsLeft, stated, data) => {
      const interaction = { ...registering(), ...(stated && { putsOffSecondFactor: true as const }) }
      expect(checkEnrolment(interaction, enrolmentFacts({ demand, deferralsLeft }))?.data).toEqual(data)
    },
  )

  it('does not exist under `prompt` if the sign-in cannot set up an accepted factor', () => {
    const nothing = enrolmentFacts({ demand: 'prompt', deferralsLeft: 0, factors: ['passkey'] })
    expect(checkEnrolment(signingIn([]), nothing)).toBeNull()
  })

  it.each([
    // Columns: whether a deferral is requested, enrolment, deferrals used (of three), and whether another one is used
    // up.
    [true, undefined, 2, true],
    [undefined, undefined, 2, false],
    [true, proven, 2, false],
  ] as const)(
    'uses up a deferral (requested: %s, enrolment: %j, used: %i) only if the sign-in depends on it: %s',
    (stated, enrolment, deferrals, counts) => {
      const facts = {
        ...asks('prompt'),
        factors: ['totp'] as const,
        holdings: [enrolledWith({ totp: false, backupCodes: 0, deferrals })],
      }
      const interaction = { ...signingIn([], enrolment), putsOffSecondFactor: stated }
      expect(isDeferred(interaction, (attempt) => decideFactor(attempt, ann, facts))).toBe(counts)
    },
  )
})
