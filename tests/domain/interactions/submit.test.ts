import { describe, expect, it } from 'vitest'
import type { Experience, SignUp } from '../../../src/contract/experience/experience.ts'
import type { Profile } from '../../../src/contract/interactions/identifiers.ts'
import type { Interaction, Proof } from '../../../src/contract/interactions/interaction.ts'
import { DEFAULT_TENANT_SETTINGS } from '../../../src/contract/tenants/settings.ts'
import { type EnrolledFactors, NO_FACTORS } from '../../../src/domain/factors/second-factor.ts'
import type { Account } from '../../../src/domain/interactions/accounts.ts'
import {
  decideSubmit,
  type SubmitOutcome,
  withDecisiveProofs,
} from '../../../src/domain/interactions/submit.ts'
import {
  listRequiredLookups,
  type SubmitFacts,
  secondFactorFacts,
} from '../../../src/domain/interactions/submit-facts.ts'
import {
  isAddressMissing,
  withoutRequiredAddresses,
} from '../../../src/domain/interactions/submit-profile.ts'
import {
  buildAccount,
  buildExperience,
  byEmail,
  byPasskey,
  byPassword,
  byPhone,
  bySocial,
  everyWay,
  noSecondFactor,
} from '../given.ts'

const targets = {
  'github-1': { target: 'github', syncProfile: false },
  'google-1': { target: 'google', syncProfile: true },
}

const ann = buildAccount({
  id: 'ann',
  username: 'ann',
  email: 'ann@example.com',
  phone: '111',
  hasPassword: true,
  identities: { github: { userId: 'gh-ann' } },
})
const bob = buildAccount({
  id: 'bob',
  username: 'bob',
  email: 'bob@example.com',
  phone: '222',
  hasPassword: true,
})
/** An account with only an email address. */
const eve = buildAccount({ id: 'eve', email: 'eve@example.com' })
const gone = buildAccount({
  id: 'gone',
  username: 'gone',
  email: 'gone@example.com',
  phone: '333',
  hasPassword: true,
  identities: { github: { userId: 'gh-gone' } },
  isSuspended: true,
})
const everyone = [ann, bob, eve, gone]

const asksNothing: SignUp = { identifiers: [], password: false, verify: false }

/** Submits the interaction with all accounts. By default, sign-up asks for nothing. */
function submit(interaction: Interaction, signUp: SignUp = asksNothing, accounts: Account[] = everyone) {
  return decideSubmit(interaction, {
    ...facts,
    experience: buildExperience({ ...everyWay, signUp }),
    accounts,
  })
}

const facts: SubmitFacts = {
  experience: buildExperience({ ...everyWay, signUp: asksNothing }),
  accountExistence: 'friendly',
  secondFactor: noSecondFactor,
  accounts: everyone,
  passkeys: ['kept'],
  targets,
}

const signingIn = (proofs: Proof[], profile?: Profile): Interaction => ({ event: 'SignIn', proofs, profile })
const registering = (proofs: Proof[], profile?: Profile): Interaction => ({
  event: 'Register',
  proofs,
  profile,
})
const resetting = (proofs: Proof[], profile?: Profile): Interaction => ({
  event: 'ForgotPassword',
  proofs,
  profile,
})

describe('finding the account (spec/interaction#account-of-submit)', () => {
  const annByGithub = bySocial('github-1', { id: 'gh-ann' })

  it.each([
    { by: 'password', proofs: [byPassword('ann')] },
    { by: 'email code', proofs: [byEmail('ann@example.com')] },
    { by: 'email code in another case', proofs: [byEmail('ANN@example.com')] },
    { by: 'phone code', proofs: [byPhone('111')] },
    { by: 'social identity', proofs: [annByGithub] },
    {
      by: 'all of these at once',
      proofs: [byPassword('ann'), byEmail('ann@example.com'), byPhone('111'), annByGithub],
    },
  ])('succeeds with $by', ({ proofs }) => {
    expect(submit(signingIn(proofs)).outcome).toEqual({ kind: 'signIn', userId: 'ann', changes: {} })
  })

  it.each([
    { condition: 'there are no proofs', proofs: [], code: 'session.identifier_not_found', status: 404 },
    {
      condition: 'all proofs belong to the profile',
      proofs: [byEmail('new@example.com'), byPhone('999'), bySocial('github-1', { id: 'gh-new' })],
      profile: { email: 'new@example.com', phone: '999', connectorId: 'github-1' },
      code: 'session.identifier_not_found',
      status: 404,
    },
    {
      condition: 'no account has the email address',
      proofs: [byEmail('new@example.com')],
      code: 'user.user_not_exist',
      status: 404,
      data: { identifier: 'new@example.com' },
    },
    {
      condition: 'no account has the phone number',
      proofs: [byPhone('999')],
      code: 'user.user_not_exist',
      status: 404,
      data: { identifier: '999' },
    },
    {
      condition: 'the account has since been deleted',
      proofs: [byPassword('deleted')],
      code: 'user.user_not_exist',
      status: 404,
    },
    {
      condition: 'the connector has since been deleted',
      proofs: [bySocial('removed', { id: 'gh-ann' })],
      code: 'entity.not_found',
      status: 404,
    },
    {
      condition: 'one of two proofs belongs to no account',
      proofs: [byPassword('ann'), byPhone('999')],
      code: 'user.user_not_exist',
      status: 404,
      data: { identifier: '999' },
    },
    {
      condition: 'two proofs belong to two accounts',
      proofs: [byPassword('ann'), byEmail('bob@example.com')],
      code: 'session.verification_failed',
      status: 400,
    },
    ...[
      byPassword('gone'),
      byEmail('gone@example.com'),
      byPhone('333'),
      bySocial('github-1', { id: 'gh-gone' }),
    ].map((proof) => ({
      condition: `the account of the ${proof.kind} proof is suspended`,
      proofs: [proof],
      code: 'user.suspended',
      status: 401,
    })),
  ])('fails if $condition', ({ proofs, profile, code, status, data }) => {
    const refusal = { kind: 'refusal', code, status, data }
    const interaction = signingIn(proofs, profile)
    expect(submit(interaction)).toEqual({ interaction, outcome: refusal })
    const reset = resetting(proofs, profile)
    const isByCode = proofs.every(({ kind }) => kind === 'email' || kind === 'phone')
    expect(submit(reset)).toEqual({
      interaction: reset,
      outcome: isByCode ? refusal : expect.objectContaining({ code: 'session.verification_failed' }),
    })
  })

  it('does not reveal the account related to a new social identity if account existence is hidden', () => {
    const profile = { id: 'new', email: 'bob@example.com', phone: '111' }
    const facts = {
      experience: buildExperience(),
      accountExistence: 'hidden',
      secondFactor: noSecondFactor,
      accounts: everyone,
      passkeys: [],
      targets,
    } as const
    expect(decideSubmit(signingIn([bySocial('github-1', profile)]), facts).outcome).toEqual({
      kind: 'refusal',
      code: 'user.identity_not_exist',
      status: 422,
      data: {},
    })
  })

  it.each([
    { reported: 'nothing', profile: { id: 'new' }, data: {} },
    { reported: 'addresses of no account', profile: { id: 'new', email: 'x@y.z', phone: '9' }, data: {} },
    {
      reported: 'a known email address',
      profile: { id: 'new', email: 'Bob@example.com', phone: '9' },
      data: { relatedUser: { type: 'email', value: 'Bob@example.com' } },
    },
    {
      reported: 'a known phone number, even with a known email address',
      profile: { id: 'new', email: 'bob@example.com', phone: '111' },
      data: { relatedUser: { type: 'phone', value: '111' } },
    },
  ])('rejects a new social identity whose provider reports $reported', ({ profile, data }) => {
    expect(submit(signingIn([bySocial('github-1', profile)])).outcome).toEqual({
      kind: 'refusal',
      code: 'user.identity_not_exist',
      status: 422,
      data,
    })
  })

  it('distinguishes identities with different targets', () => {
    expect(submit(signingIn([bySocial('google-1', { id: 'gh-ann' })])).outcome).toHaveProperty(
      'code',
      'user.identity_not_exist',
    )
  })

  it('rejects a new social identity next to a password unless the profile contains the identity', () => {
    const proofs = [byPassword('bob'), bySocial('github-1', { id: 'new' })]
    expect(submit(signingIn(proofs)).outcome).toHaveProperty('code', 'user.identity_not_exist')
    expect(submit(signingIn(proofs, { connectorId: 'github-1' })).outcome).toHaveProperty('kind', 'signIn')
  })

  it('treats a verified address as belonging to an account if the profile spells it differently', () => {
    const interaction = signingIn([byPassword('bob'), byEmail('New@example.com')], {
      email: 'new@example.com',
    })
    expect(submit(interaction).outcome).toHaveProperty('code', 'user.user_not_exist')
  })
})

describe('a disabled sign-in method (spec/interaction#settings-checks)', () => {
  const codesOff = {
    signIn: { methods: everyWay.signIn.methods.map((method) => ({ ...method, verificationCode: false })) },
  }
  const signUp: SignUp = { identifiers: ['email', 'phone'], password: true, verify: true }
  const submitWith = (interaction: Interaction, experience: Partial<Experience>) =>
    decideSubmit(interaction, {
      ...facts,
      experience: buildExperience({ ...everyWay, signUp, ...experience }),
    }).outcome
  const notEnabled = { code: 'user.sign_in_method_not_enabled', status: 422 }
  const github = bySocial('github-1', { id: 'gh-new' })

  it.each<[string, Proof[], Partial<Experience>]>([
    ['an email code', [byEmail('bob@example.com')], codesOff],
    ['a phone code', [byPhone('222')], codesOff],
    ['a code in addition to a password', [byPassword('bob'), byPhone('222')], codesOff],
    ['a password', [byPassword('bob')], { signIn: { methods: [] } }],
    ['a passkey', [byPasskey('bob')], { passkeys: undefined }],
  ])('is rejected at sign-in: %s', (_, proofs, experience) => {
    const interaction = signingIn(proofs)
    expect(submitWith(interaction, {}).kind).not.toBe('refusal')
    expect(submitWith(interaction, experience)).toMatchObject(notEnabled)
  })

  it('can still verify addresses and identify the account for a new identity', () => {
    const cem = byEmail('cem@example.com')
    const password = 'secret-1'
    expect(submitWith(registering([cem], { email: 'cem@example.com', password }), codesOff)).toHaveProperty(
      'user',
    )
    const added = { email: 'cem@example.com' }
    const nameless = buildAccount({ id: 'nameless', username: 'nameless', hasPassword: true })
    const completed = decideSubmit(signingIn([byPassword('nameless'), cem], added), {
      ...facts,
      experience: buildExperience({ ...codesOff, signUp }),
      accounts: [nameless],
    })
    expect(completed.outcome).toMatchObject({ kind: 'signIn', changes: added })
    const linked = submitWith(
      signingIn([github, byEmail('bob@example.com')], { connectorId: 'github-1' }),
      codesOff,
    )
    expect(linked).toMatchObject({ kind: 'signIn', userId: 'bob', changes: { identities: { github: {} } } })
    expect(submitWith(signingIn([github, byEmail('bob@example.com')]), codesOff)).toHaveProperty(
      'kind',
      'refusal',
    )
  })

  it('can still reset a password', () => {
    const interaction = resetting([byEmail('bob@example.com')], { password: 'secret-1' })
    expect(submitWith(interaction, codesOff)).toMatchObject({ kind: 'resetPassword', userId: 'bob' })
  })
})

describe('a proof from before a revocation (spec/accounts#revocation)', () => {
  const REVOKED = 10
  const key: Proof = { ...byPasskey('ann'), provenAt: 0 }
  const firstProofs = [
    byPassword('ann'),
    key,
    byEmail('ann@example.com'),
    byPhone('111'),
    bySocial('github-1', { id: 'gh-ann' }),
  ]
  const revoked = everyone.map((account) => ({ ...account, revokedAt: REVOKED }))
  const at = (provenAt: number, proofs: readonly Proof[]) => proofs.map((proof) => ({ ...proof, provenAt }))
  const failed = { code: 'session.verification_failed', status: 400 }

  it.each(firstProofs)('cannot sign a user in, and neither can a proof without a date: $kind', (proof) => {
    for (const provenAt of [0, REVOKED]) {
      const refused = submit(signingIn(at(provenAt, [proof])), asksNothing, revoked)
      expect(refused.outcome).toMatchObject(failed)
    }
    const after = submit(signingIn(at(REVOKED + 1, [proof])), asksNothing, revoked)
    expect(after.outcome).toMatchObject({ kind: 'signIn', userId: 'ann' })
  })

  it.each([byEmail('ann@example.com'), byPhone('111')])('cannot reset a password: $kind', (proof) => {
    const reset = (provenAt: number) =>
      submit(resetting(at(provenAt, [proof]), { password: 'secret-1' }), asksNothing, revoked).outcome
    expect(reset(REVOKED)).toMatchObject(failed)
    expect(reset(REVOKED + 1)).toMatchObject({ kind: 'resetPassword', userId: 'ann' })
  })

  it.each(firstProofs)('remains invalid beside a newer proof: $kind', (proof) => {
    const newer = at(REVOKED + 1, [byPassword('ann')])
    const older = proof.kind === 'account' ? byEmail('ann@example.com') : proof
    const proofs = [...newer, ...at(REVOKED, [older])]
    expect(submit(signingIn(proofs), asksNothing, revoked).outcome).toMatchObject(failed)
  })

  const factors = ['totp', 'backupCode', 'emailFactor', 'phoneFactor'] as const
  const presentKey: Proof = { ...byPasskey('ann'), provenAt: 0, isUserVerified: false } as Proof
  it.each([...factors.map((kind): Proof => ({ kind, userId: 'ann', provenAt: 0 })), presentKey])(
    '[ASVS-7.4.2-6] is not accepted as a second factor, and is removed from the interaction: $kind',
    (factor) => {
      const secondFactor = {
        ...noSecondFactor,
        common: ['required' as const],
        factors: ['totp', 'passkey', 'email', 'phone'] as const,
        holdings: [{ userId: 'ann', totp: true, backupCodes: 1, passkeys: 1, deferrals: 0 }],
      }
      const submitAt = (provenAt: number) => {
        const proofs = [...at(REVOKED + 1, [byPassword('ann')]), ...at(provenAt, [factor])]
        return decideSubmit(signingIn(proofs), { ...facts, secondFactor, accounts: revoked })
      }
      const { outcome, interaction } = submitAt(REVOKED)
      expect(outcome).toMatchObject({ code: 'user.second_factor_required' })
      expect(interaction.proofs.map(({ kind }) => kind)).toEqual(['account'])
      expect(submitAt(REVOKED + 1).outcome).toMatchObject({ kind: 'signIn', factor: { kind: 'proven' } })
    },
  )

  it('cannot add anything to the account', () => {
    const proofs = [
      ...at(REVOKED + 1, [byPassword('bob')]),
      ...at(REVOKED, [bySocial('github-1', { id: 'x' })]),
    ]
    const { outcome } = submit(signingIn(proofs, { connectorId: 'github-1' }), asksNothing, revoked)
    expect(outcome).toMatchObject({ code: 'session.connector_session_not_found' })
  })
})

describe('pinning the account (spec/interaction#pinned-account)', () => {
  it.each([
    { event: 'signed in', interaction: signingIn([byPassword('ann')]) },
    { event: 'rejected', interaction: signingIn([byPassword('ann')], { username: 'new' }) },
    { event: 'asked for a new password', interaction: resetting([byEmail('ann@example.com')]) },
  ])('happens after the user has been $event', ({ interaction }) => {
    expect(submit(interaction).interaction).toEqual({ ...interaction, accountId: 'ann' })
  })

  it('keeps everything else in the interaction', () => {
    const interaction = {
      ...signingIn([byPassword('ann')], {}),
      connectorSession: {
        connectorId: 'google-1',
        state: 's',
        redirectUri: 'https://id.example.com/callback/google-1',
        kept: { nonce: 'n' },
        beganAt: 1,
      },
      afterReset: 'reset-1',
    }
    expect(submit(interaction).interaction).toEqual({ ...interaction, accountId: 'ann' })
  })

  it('returns the same object if the account is already pinned', () => {
    const interaction = { ...signingIn([byPassword('ann')]), accountId: 'ann' }
    expect(submit(interaction).interaction).toBe(interaction)
  })

  it('does not happen at registration', () => {
    const interaction = registering([byPassword('ann')], { username: 'ann' })
    expect(submit(interaction).interaction).toBe(interaction)
  })

  it('rejects later proofs that belong to another account', () => {
    const interaction = { ...signingIn([byEmail('bob@example.com')]), accountId: 'ann' }
    expect(submit(interaction)).toEqual({
      interaction,
      outcome: { kind: 'refusal', code: 'session.verification_failed', status: 400, data: undefined },
    })
  })
})

describe('checking the profile (spec/interaction#profile-of-submit)', () => {
  const bare = buildAccount({ id: 'bare', hasPassword: true })
  const social = buildAccount({ id: 'social', identities: { github: { userId: 'gh-social' } } })
  const accounts = [...everyone, bare, social]
  const newGithub = bySocial('github-1', { id: 'gh-new' })

  const rules: {
    condition: string
    proofs: Proof[]
    profile: Profile
    code: string
    status: number
  }[] = [
    {
      condition: 'the email address is unverified',
      proofs: [],
      profile: { email: 'new@example.com' },
      code: 'session.verification_session_not_found',
      status: 404,
    },
    {
      condition: 'the phone number is unverified',
      proofs: [byEmail('new@example.com')],
      profile: { email: 'new@example.com', phone: '999' },
      code: 'session.verification_session_not_found',
      status: 404,
    },
    {
      condition: 'the social identity is unverified',
      proofs: [],
      profile: { connectorId: 'github-1' },
      code: 'session.connector_session_not_found',
      status: 404,
    },
    {
      condition: 'the username is taken',
      proofs: [],
      profile: { username: 'ann' },
      code: 'user.username_already_in_use',
      status: 422,
    },
    {
      condition: 'the email address is taken with different capitalization',
      proofs: [byEmail('ANN@example.com')],
      profile: { email: 'ANN@example.com' },
      code: 'user.email_already_in_use',
      status: 422,
    },
    {
      condition: 'the phone number is taken',
      proofs: [byPhone('111')],
      profile: { phone: '111' },
      code: 'user.phone_already_in_use',
      status: 422,
    },
    {
      condition: 'the social identity is taken',
      proofs: [bySocial('github-1', { id: 'gh-ann' })],
      profile: { connectorId: 'github-1' },
      code: 'user.identity_already_in_use',
      status: 422,
    },
    {
      condition: 'the connector has since been deleted',
      proofs: [bySocial('removed', { id: '1' })],
      profile: { connectorId: 'removed' },
      code: 'entity.not_found',
      status: 404,
    },
    {
      condition: 'an unverified address is also taken, which is reported second',
      proofs: [],
      profile: { username: 'ann', email: 'ann@example.com' },
      code: 'session.verification_session_not_found',
      status: 404,
    },
    {
      condition: 'an email address and a social identity are unverified, and reports the address first',
      proofs: [],
      profile: { email: 'new@example.com', connectorId: 'github-1' },
      code: 'session.verification_session_not_found',
      status: 404,
    },
    {
      condition: 'everything is taken, and reports the username first',
      proofs: [byEmail('ann@example.com'), byPhone('111'), bySocial('github-1', { id: 'gh-ann' })],
      profile: { username: 'bob', email: 'ann@example.com', phone: '111', connectorId: 'github-1' },
      code: 'user.username_already_in_use',
      status: 422,
    },
  ]

  it.each(rules)('rejects a registration if $condition', ({ proofs, profile, code, status }) => {
    expect(submit(registering(proofs, profile), asksNothing, accounts).outcome).toMatchObject({
      code,
      status,
    })
  })

  it.each(rules)('rejects a profile change at sign-in if $condition', ({ proofs, profile, code, status }) => {
    const interaction = signingIn([byPassword('bare'), ...proofs], profile)
    expect(submit(interaction, asksNothing, accounts).outcome).toMatchObject({ code, status })
  })

  it.each([
    { existing: 'a username', profile: { username: 'new' }, code: 'user.username_exists_in_profile' },
    {
      existing: 'the same username',
      profile: { username: 'ann' },
      code: 'user.username_exists_in_profile',
    },
    {
      existing: 'an email address',
      profile: { email: 'new@example.com' },
      code: 'user.email_exists_in_profile',
    },
    { existing: 'a phone number', profile: { phone: '999' }, code: 'user.phone_exists_in_profile' },
    { existing: 'a password', profile: { password: 'secret-1' }, code: 'user.password_exists_in_profile' },
    {
      existing: 'a username and a password, which reports the username first',
      profile: { username: 'new', password: 'secret-1' },
      code: 'user.username_exists_in_profile',
    },
  ])('rejects profile data that the account already has: $existing', ({ profile, code }) => {
    const proofs = [
      byPassword('ann'),
      ...('email' in profile ? [byEmail('new@example.com')] : []),
      ...('phone' in profile ? [byPhone('999')] : []),
    ]
    expect(submit(signingIn(proofs, profile)).outcome).toMatchObject({ code, status: 400 })
  })

  it('treats an existing social identity like an existing password', () => {
    const interaction = signingIn([bySocial('github-1', { id: 'gh-social' })], { password: 'secret-1' })
    expect(submit(interaction, asksNothing, accounts).outcome).toMatchObject({
      code: 'user.password_exists_in_profile',
      status: 400,
    })
  })

  it('rejects an identity that the account already has', () => {
    const proofs = [byPassword('ann'), bySocial('github-1', { id: 'gh-ann' })]
    expect(submit(signingIn(proofs, { connectorId: 'github-1' })).outcome).toHaveProperty(
      'code',
      'user.identity_already_in_use',
    )
  })

  it('rejects a second identity with the same target, which would replace the existing one', () => {
    const interaction = signingIn([byPassword('ann'), newGithub], { connectorId: 'github-1' })
    expect(submit(interaction).outcome).toMatchObject({
      code: 'user.identity_already_in_use',
      status: 422,
    })
  })
})

describe('the check for missing profile data (spec/interaction#missing-profile)', () => {
  const asks = (identifiers: SignUp['identifiers'], password = false): SignUp => ({
    identifiers,
    password,
    verify: true,
  })
  const newMail = byEmail('new@example.com')

  it.each([
    { signUp: asks(['username'], true), profile: {}, missing: ['password', 'username'] },
    { signUp: asks(['username'], true), profile: { username: 'new' }, missing: ['password'] },
    { signUp: asks(['username'], true), profile: { password: 'secret-1' }, missing: ['username'] },
    { signUp: asks(['username', 'email', 'phone']), profile: {}, missing: ['username'] },
    { signUp: asks(['username', 'email']), profile: { username: 'new' }, missing: ['email'] },
    { signUp: asks(['email']), profile: {}, missing: ['email'] },
    { signUp: asks(['phone']), profile: {}, missing: ['phone'] },
    { signUp: asks(['phone', 'email']), profile: {}, missing: ['emailOrPhone'] },
    { signUp: asks(['email', 'phone'], true), profile: {}, missing: ['password', 'emailOrPhone'] },
    { signUp: asks(['email', 'phone'], true), profile: { email: 'new@example.com' }, missing: ['password'] },
  ])(
    'lists $missing for a registration with $profile if sign-up is $signUp',
    ({ signUp, profile, missing }) => {
      const proofs = 'email' in profile ? [newMail] : []
      expect(submit(registering(proofs, profile), signUp).outcome).toEqual({
        kind: 'refusal',
        code: 'user.missing_profile',
        status: 422,
        data: { missingProfile: missing },
      })
    },
  )

  it.each([
    { signUp: asks(['username'], true), proofs: [byPassword('ann')] },
    { signUp: asks(['email', 'phone'], true), proofs: [byPassword('bob')] },
    { signUp: asks(['email', 'phone']), proofs: [byEmail('eve@example.com')] },
    { signUp: asks([], true), proofs: [byPassword('ann')] },
  ])('passes if the account has everything that the sign-up $signUp requires', ({ signUp, proofs }) => {
    expect(submit(signingIn(proofs), signUp).outcome).toMatchObject({ kind: 'signIn', changes: {} })
  })

  it.each([
    { signUp: asks(['email'], true), missing: ['password'] },
    { signUp: asks(['username'], true), missing: ['password', 'username'] },
    { signUp: asks(['phone']), missing: ['phone'] },
  ])(
    'lists $missing for an account with only an email address if sign-up is $signUp',
    ({ signUp, missing }) => {
      expect(submit(signingIn([byEmail('eve@example.com')]), signUp).outcome).toMatchObject({
        code: 'user.missing_profile',
        status: 422,
        data: { missingProfile: missing },
      })
    },
  )

  it.each([
    { signUp: asks(['phone'], true), missing: ['password', 'phone'], remaining: ['password'] },
    { signUp: asks(['username', 'phone']), missing: ['username'], remaining: ['username'] },
    { signUp: asks(['phone']), missing: ['phone'], remaining: undefined },
  ])(
    'leaves $remaining of $missing to somebody of whom no address is required',
    ({ signUp, missing, remaining }) => {
      const outcomeOf = (needs: SignUp) => submit(signingIn([byEmail('eve@example.com')]), needs).outcome
      const outcome = outcomeOf(signUp)
      expect(outcome).toHaveProperty('data.missingProfile', missing)
      expect(isAddressMissing(outcome)).toBe(missing.includes('phone'))
      const relaxed = outcomeOf(withoutRequiredAddresses({ signUp }).signUp)
      expect(relaxed).toMatchObject(
        remaining ? { data: { missingProfile: remaining } } : { kind: 'signIn', changes: {} },
      )
      expect(isAddressMissing(relaxed)).toBe(false)
    },
  )

  it('considers the data that the profile adds', () => {
    const interaction = signingIn([byEmail('eve@example.com')], { username: 'eve', password: 'secret-1' })
    expect(submit(interaction, asks(['username'], true)).outcome).toEqual({
      kind: 'signIn',
      userId: 'eve',
      changes: { username: 'eve', password: 'secret-1' },
    })
  })

  it('requires no password if the account or the profile has a social identity', () => {
    const lee = buildAccount({ id: 'lee', identities: { github: { userId: 'gh-lee' } } })
    const interaction = signingIn([bySocial('github-1', { id: 'gh-lee' })])
    expect(submit(interaction, asks([], true), [lee]).outcome).toHaveProperty('kind', 'signIn')

    const added = signingIn([byEmail('eve@example.com'), bySocial('github-1', { id: 'new' })], {
      connectorId: 'github-1',
    })
    expect(submit(added, asks([], true)).outcome).toHaveProperty('kind', 'signIn')
  })

  it('is skipped for a password reset', () => {
    const interaction = resetting([byEmail('eve@example.com')], { password: 'secret-1' })
    expect(submit(interaction, asks(['username', 'phone'], true)).outcome).toHaveProperty(
      'kind',
      'resetPassword',
    )
  })

  describe('completing the profile from the social account', () => {
    const social = (profile: { email?: string; phone?: string }) =>
      registering([bySocial('github-1', { id: 'new', ...profile })], { connectorId: 'github-1' })

    it.each([
      { signUp: asks(['email']), profile: { email: 'new@example.com' }, added: { email: 'new@example.com' } },
      { signUp: asks(['phone']), profile: { phone: '999' }, added: { phone: '999' } },
      {
        signUp: asks(['email', 'phone']),
        profile: { email: 'new@example.com', phone: '999' },
        added: { email: 'new@example.com' },
      },
      { signUp: asks(['email', 'phone']), profile: { phone: '999' }, added: { phone: '999' } },
      {
        signUp: asks(['phone']),
        profile: { email: 'ann@example.com', phone: '999' },
        added: { phone: '999' },
      },
    ])('adds $added to the profile if sign-up is $signUp', ({ signUp, profile, added }) => {
      expect(submit(social(profile), signUp).outcome).toEqual({
        kind: 'register',
        user: { ...added, identities: { github: { userId: 'new', details: { id: 'new', ...profile } } } },
      })
    })

    it('adds only missing data', () => {
      const { outcome } = submit(social({ email: 'new@example.com' }), asksNothing)
      expect(outcome).not.toHaveProperty('user.email')
    })

    it('adds nothing while a username is missing', () => {
      expect(submit(social({ email: 'new@example.com' }), asks(['username', 'email'])).outcome).toMatchObject(
        { code: 'user.missing_profile', data: { missingProfile: ['username'] } },
      )
    })

    it('adds the address and reports the remaining data as missing', () => {
      const interaction = registering([bySocial('github-1', { id: 'new', phone: '999' })], {})
      expect(submit(interaction, asks(['phone'], true)).outcome).toEqual({
        kind: 'refusal',
        code: 'user.missing_profile',
        status: 422,
        data: { missingProfile: ['password'] },
      })
    })

    it.each([
      { type: 'email', profile: { email: 'ann@example.com' }, signUp: asks(['email']), missing: ['email'] },
      { type: 'phone', profile: { phone: '111' }, signUp: asks(['phone']), missing: ['phone'] },
      {
        type: 'email',
        profile: { email: 'ann@example.com', phone: '999' },
        signUp: asks(['email', 'phone']),
        missing: ['emailOrPhone'],
      },
    ] as const)(
      'does not add another account’s $type, even if the provider reports $profile',
      ({ type, profile, signUp, missing }) => {
        expect(submit(social(profile), signUp).outcome).toEqual({
          kind: 'refusal',
          code: 'user.missing_profile',
          status: 422,
          data: { missingProfile: missing },
        })

        const lee = buildAccount({ id: 'lee', identities: { github: { userId: 'gh-lee' } } })
        const interaction = signingIn([bySocial('github-1', { id: 'gh-lee', ...profile })])
        expect(submit(interaction, signUp, [...everyone, lee]).outcome).toMatchObject({
          data: {
            missingProfile: missing,
            registeredSocialIdentity: { [type]: type === 'email' ? profile.email : profile.phone },
          },
        })
      },
    )

    it('does not name the other account if account existence is hidden', () => {
      const lee = buildAccount({ id: 'lee', identities: { github: { userId: 'gh-lee' } } })
      const interaction = signingIn([bySocial('github-1', { id: 'gh-lee', email: 'ann@example.com' })])
      const experience = buildExperience({ ...everyWay, signUp: asks(['email']) })
      const hidden = { ...facts, experience, accounts: [ann, lee], accountExistence: 'hidden' as const }
      expect(decideSubmit(interaction, hidden).outcome).toMatchObject({
        code: 'user.missing_profile',
        data: { missingProfile: ['email'] },
      })
      expect(decideSubmit(interaction, hidden).outcome).not.toHaveProperty('data.registeredSocialIdentity')
    })

    it('adds the address to an existing account that signs in with the identity', () => {
      const lee = buildAccount({ id: 'lee', identities: { github: { userId: 'gh-lee' } } })
      const interaction = signingIn([bySocial('github-1', { id: 'gh-lee', email: 'lee@example.com' })])
      const decision = submit(interaction, asks(['email']), [lee])
      expect(decision.outcome).toEqual({
        kind: 'signIn',
        userId: 'lee',
        changes: { email: 'lee@example.com' },
      })
      expect(decision.interaction).toEqual({ ...interaction, accountId: 'lee' })
    })
  })

  describe('at the end of a registration', () => {
    it.each([
      { profile: undefined },
      { profile: {} },
      { profile: { password: 'secret-1' } },
      { profile: { username: 'new' } },
    ])('rejects the profile $profile with all sign-up settings, without error data', ({ profile }) => {
      expect(submit(registering([], profile)).outcome).toEqual({
        kind: 'refusal',
        code: 'user.missing_profile',
        status: 422,
        data: undefined,
      })
    })

    it.each([
      { profile: { username: 'new', password: 'secret-1' }, proofs: [] },
      { profile: { email: 'new@example.com' }, proofs: [newMail] },
      { profile: { phone: '999' }, proofs: [byPhone('999')] },
      { profile: { connectorId: 'github-1' }, proofs: [bySocial('github-1', { id: 'new' })] },
    ])('accepts the profile $profile', ({ profile, proofs }) => {
      expect(submit(registering(proofs, profile)).outcome).toHaveProperty('kind', 'register')
    })
  })
})

describe('submitting an interaction successfully (spec/interaction#submit-effects)', () => {
  const github = bySocial('github-1', { id: 'new', name: 'New', avatar: 'https://a.example/n.png' })
  const google = bySocial('google-1', { id: 'new', name: 'New', avatar: '' })
  const details = { id: 'new', name: 'New', avatar: 'https://a.example/n.png' }

  it('registers everything in the profile', () => {
    const profile = { username: 'new', email: 'new@example.com', phone: '999', password: 'secret-1' }
    const interaction = registering([byEmail('new@example.com'), byPhone('999')], profile)
    expect(submit(interaction).outcome).toEqual({ kind: 'register', user: profile })
  })

  it("registers the social account's name and avatar even if the connector does not sync profiles", () => {
    expect(submit(registering([github], { connectorId: 'github-1' })).outcome).toEqual({
      kind: 'register',
      user: {
        name: 'New',
        avatar: 'https://a.example/n.png',
        identities: { github: { userId: 'new', details } },
      },
    })
  })

  it('links only social accounts that the profile names', () => {
    const interaction = registering([google, byPhone('999')], { phone: '999' })
    expect(submit(interaction).outcome).toEqual({ kind: 'register', user: { phone: '999' } })
  })

  it('registers no proofs that the profile does not contain', () => {
    const interaction = registering([byPassword('ann'), byEmail('bob@example.com'), byPhone('999')], {
      phone: '999',
    })
    expect(submit(interaction).outcome).toEqual({ kind: 'register', user: { phone: '999' } })
  })

  it.each([
    {
      what: 'without its name and avatar if the connector does not sync profiles',
      proof: github,
      connectorId: 'github-1',
      changes: { identities: { github: { userId: 'new', details } } },
    },
    {
      what: 'with its non-empty name and avatar if the connector syncs profiles',
      proof: google,
      connectorId: 'google-1',
      changes: {
        name: 'New',
        identities: { google: { userId: 'new', details: { id: 'new', name: 'New', avatar: '' } } },
      },
    },
  ])('links a social account $what', ({ proof, connectorId, changes }) => {
    const { outcome } = submit(signingIn([byPassword('bob'), proof], { connectorId }))
    expect(outcome).toEqual({ kind: 'signIn', userId: 'bob', changes })
  })

  it.each([
    { connectorId: 'google-1', target: 'google', changes: { name: 'Lee' } },
    { connectorId: 'github-1', target: 'github', changes: {} },
  ])('saves the changes $changes at a plain sign-in with $target', ({ connectorId, target, changes }) => {
    const lee = buildAccount({ id: 'lee', name: 'Old', identities: { [target]: { userId: 'lee-1' } } })
    const interaction = signingIn([bySocial(connectorId, { id: 'lee-1', name: 'Lee', avatar: '' })])
    expect(submit(interaction, asksNothing, [lee]).outcome).toEqual({
      kind: 'signIn',
      userId: 'lee',
      changes,
    })
  })

  it('requires a new password for a password reset', () => {
    expect(submit(resetting([byEmail('ann@example.com')])).outcome).toMatchObject({
      code: 'user.new_password_required_in_profile',
      status: 422,
    })
  })

  it.each([
    { who: 'with a password', proof: byPhone('111'), userId: 'ann' },
    { who: 'without a password', proof: byEmail('eve@example.com'), userId: 'eve' },
  ])('changes only the password in a password reset of an account $who', ({ proof, userId }) => {
    const interaction = resetting([proof], { username: 'other', password: 'secret-2' })
    expect(submit(interaction).outcome).toEqual({
      kind: 'resetPassword',
      userId,
      password: 'secret-2',
      channels: [proof.kind],
      verified: {},
    })
  })
})

describe('in the documented flows (spec/interaction#flows)', () => {
  it('an unknown address can be registered with the same proof', () => {
    const proofs = [byEmail('new@example.com')]
    expect(submit(signingIn(proofs)).outcome).toHaveProperty('code', 'user.user_not_exist')
    expect(submit(registering(proofs, { email: 'new@example.com' })).outcome).toEqual({
      kind: 'register',
      user: { email: 'new@example.com' },
    })
  })

  it('a known address can be used to sign in with the same proof', () => {
    const proofs = [byEmail('ann@example.com')]
    expect(submit(registering(proofs, { email: 'ann@example.com' })).outcome).toHaveProperty(
      'code',
      'user.email_already_in_use',
    )
    expect(submit(signingIn(proofs)).outcome).toHaveProperty('userId', 'ann')
  })

  it('a social identity is linked to the related account', () => {
    const social = bySocial('github-1', { id: 'new', email: 'bob@example.com' })
    const { interaction } = submit(signingIn([social]))
    const linked = {
      ...interaction,
      proofs: [social, byEmail('bob@example.com')],
      profile: { connectorId: 'github-1' },
    }
    expect(submit(linked).outcome).toMatchObject({
      kind: 'signIn',
      userId: 'bob',
      changes: { identities: { github: { userId: 'new' } } },
    })
  })
})

describe('the accounts loaded when an interaction is submitted', () => {
  it('match every proof and every identifier in the profile, without duplicates', () => {
    const interaction = signingIn(
      [
        byPassword('ann'),
        byEmail('new@example.com'),
        byPhone('999'),
        bySocial('github-1', { id: '42', email: 'new@example.com', phone: '42' }),
      ],
      { username: 'new', email: 'new@example.com', phone: '999', connectorId: 'github-1' },
    )
    expect(listRequiredLookups(interaction, targets)).toEqual([
      { by: 'id', value: 'ann' },
      { by: 'email', value: 'new@example.com' },
      { by: 'phone', value: '999' },
      { by: 'identity', target: 'github', value: '42' },
      { by: 'phone', value: '42' },
      { by: 'username', value: 'new' },
    ])
  })

  it('are an empty list for a deleted connector or an empty interaction', () => {
    expect(listRequiredLookups(signingIn([bySocial('removed', { id: '42' })]), targets)).toEqual([])
    expect(listRequiredLookups(registering([]), targets)).toEqual([])
  })
})

describe('an unverified address', () => {
  const unverified = buildAccount({
    id: 'new',
    email: 'New@example.com',
    phone: '444',
    identities: { github: { userId: 'gh-new' } },
    emailVerified: false,
    phoneVerified: false,
  })
  it.each([
    {
      by: 'a code sent to the address',
      proofs: [byEmail('new@example.com')],
      verified: { emailVerified: true },
    },
    { by: 'a code sent to the phone', proofs: [byPhone('444')], verified: { phoneVerified: true } },
    {
      by: 'both codes',
      proofs: [byEmail('new@example.com'), byPhone('444')],
      verified: { emailVerified: true, phoneVerified: true },
    },
    {
      by: 'a provider',
      proofs: [bySocial('github-1', { id: 'gh-new', email: 'new@example.com' })],
      verified: { emailVerified: true },
    },
    {
      by: 'a provider that reports another address',
      proofs: [bySocial('github-1', { id: 'gh-new', email: 'other@example.com' })],
      verified: {},
    },
    { by: 'a password', proofs: [byPassword('new')], verified: {} },
  ])('is verified by $by: $verified', ({ proofs, verified }) => {
    expect(submit(signingIn(proofs), asksNothing, [unverified]).outcome).toEqual({
      kind: 'signIn',
      userId: 'new',
      changes: verified,
    })
  })
})

const enrolment = { secret: 'A', proven: { step: 1, digests: [] } }
const totp: Proof = { kind: 'totp', userId: 'ann', provenAt: 2 }
const securityKey = { ...byPasskey('ann'), isUserVerified: false } as Proof

describe('second factors when an interaction is submitted', () => {
  const withPolicy = (
    policy: 'off' | 'optional' | 'prompt' | 'required',
    enrolled: Partial<EnrolledFactors> = {},
  ) => ({
    ...facts,
    secondFactor: {
      ...noSecondFactor,
      common: [policy],
      factors: ['totp', 'passkey'] as const,
      maxDeferrals: 3,
      holdings: [{ userId: 'ann', ...NO_FACTORS, ...enrolled }],
    },
  })
  const newUser = { username: 'new', password: 'secret-1' }

  it('are required at registration', () => {
    expect(decideSubmit(registering([], newUser), withPolicy('required')).outcome).toMatchObject({
      code: 'user.second_factor_missing',
      data: { factors: ['totp'] },
    })
    const enrolled = { ...registering([], newUser), enrolment }
    expect(decideSubmit(enrolled, withPolicy('required')).outcome).toMatchObject({
      kind: 'register',
      enrolment,
    })
  })

  it('are not set up if no policy applies', () => {
    const enrolled = { ...registering([], newUser), enrolment }
    expect(decideSubmit(enrolled, withPolicy('off')).outcome).toMatchObject({
      kind: 'register',
      enrolment: undefined,
    })
  })

  it('can be deferred, and each deferral is counted', () => {
    const registration = { ...registering([], newUser), putsOffSecondFactor: true as const }
    const signIn = { ...signingIn([byPassword('ann')]), putsOffSecondFactor: true as const }
    for (const [interaction, kind] of [
      [registration, 'register'],
      [signIn, 'signIn'],
    ] as const) {
      expect(decideSubmit(interaction, withPolicy('prompt')).outcome).toMatchObject({
        kind,
        isDeferred: true,
      })
      expect(decideSubmit(interaction, withPolicy('optional')).outcome).not.toHaveProperty('isDeferred')
    }
  })

  it('include a security key only until it is removed', () => {
    const interaction = signingIn([byPassword('ann'), securityKey])
    const optional = withPolicy('optional', { passkeys: 1 })
    expect(decideSubmit(interaction, optional).outcome).toMatchObject({
      kind: 'signIn',
      factor: { kind: 'proven' },
    })
    expect(decideSubmit(interaction, { ...optional, passkeys: [] }).outcome).toMatchObject({
      code: 'user.second_factor_required',
    })
  })
})

describe('the proofs on which an outcome is based', () => {
  const signIn = (factor?: Extract<SubmitOutcome, { kind: 'signIn' }>['factor']): SubmitOutcome => ({
    kind: 'signIn',
    userId: 'ann',
    changes: {},
    factor,
  })
  const proofs = [byPassword('ann'), totp, securityKey, byPasskey('ann', 'other')]
  const first = [byPassword('ann'), byPasskey('ann', 'other')]
  it.each<[string, SubmitOutcome, Proof[], typeof enrolment | undefined]>([
    ['a sign-in with a second factor', signIn({ kind: 'proven' }), proofs, undefined],
    ['a sign-in in a remembered browser', signIn({ kind: 'remembered' }), first, undefined],
    ['a sign-in that needs no second factor', signIn(), first, undefined],
    ['a sign-in that sets up an app', signIn({ kind: 'missing', enrolment, passkeys: 0 }), first, enrolment],
    [
      'a sign-in without any factor',
      signIn({ kind: 'missing', enrolment: undefined, passkeys: 0 }),
      first,
      undefined,
    ],
    ['a registration with an app', { kind: 'register', user: {}, enrolment }, first, enrolment],
    ['a registration without an app', { kind: 'register', user: {} }, first, undefined],
    [
      'a password reset',
      { kind: 'resetPassword', userId: 'ann', password: 'x', channels: [], verified: {} },
      first,
      undefined,
    ],
  ])('are those of %s', (_, outcome, decisive, written) => {
    const interaction: Interaction = { event: 'SignIn', proofs, enrolment, accountId: 'ann' }
    expect(withDecisiveProofs(interaction, outcome)).toEqual({
      ...interaction,
      proofs: decisive,
      enrolment: written,
    })
  })
})

describe('the facts about second factors', () => {
  const loaded = { policies: { common: [], ofAccounts: [] }, holdings: [], remembered: [{ userId: 'ann' }] }
  it('name the accounts that the browser remembers, unless the request demands two factors', () => {
    expect(secondFactorFacts(DEFAULT_TENANT_SETTINGS, { ...loaded, request: {} })).toMatchObject({
      requestsTwoFactors: false,
      remembered: ['ann'],
    })
    const request = { acr_values: 'urn:vestibule:acr:2fa' }
    expect(secondFactorFacts(DEFAULT_TENANT_SETTINGS, { ...loaded, request })).toMatchObject({
      requestsTwoFactors: true,
      remembered: [],
    })
  })

  it('do not depend on which account a second factor belongs to', () => {
    const proofs = (['totp', 'backupCode', 'emailFactor', 'phoneFactor'] as const).map(
      (kind): Proof => ({ kind, userId: 'ann', provenAt: 2 }),
    )
    expect(listRequiredLookups({ event: 'SignIn', proofs }, targets)).toEqual([])
  })
})
