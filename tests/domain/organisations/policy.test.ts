import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Experience } from '../../../src/contract/experience/experience.ts'
import type { Interaction } from '../../../src/contract/interactions/interaction.ts'
import {
  type OrganizationMethod,
  type OrganizationRules,
  organizationMethods,
} from '../../../src/contract/organisations/organizations.ts'
import { DEFAULT_TENANT_SETTINGS } from '../../../src/contract/tenants/settings.ts'
import { deriveAuthentication } from '../../../src/domain/interactions/authentication.ts'
import {
  findPolicyProblem,
  findUnmetRules,
  limitToMethods,
  methodToRecord,
  offeredMethods,
  type SessionSignIn,
} from '../../../src/domain/organisations/policy.ts'
import { sweepOfProcess } from '../../kit/sweep.ts'
import { buildExperience, byEmail, byPasskey, byPassword, byPhone, bySocial, everyWay } from '../given.ts'

const { seed, isExhaustive } = sweepOfProcess()
const social = {
  id: 'google',
  target: 'google',
  platform: 'Universal',
  name: { en: 'Google' },
  logo: '/g.svg',
} as const
const experience: Experience = buildExperience({
  ...everyWay,
  socialConnectors: [social],
  socialSignInConnectorTargets: ['google'],
  forgotPassword: { email: true, phone: true },
})

const nothing: OrganizationRules = {
  methods: null,
  secondFactor: null,
  sessionMaxAgeSeconds: null,
  networks: null,
}
const NOW = 1_800_000_000
const signIn = (changes: Partial<SessionSignIn>): SessionSignIn => ({
  at: NOW,
  acr: 'urn:vestibule:acr:1fa',
  amr: ['pwd'],
  metRequirement: false,
  appliedPolicy: null,
  ...changes,
})
const unmet = (rules: Partial<OrganizationRules>, changes: Partial<SessionSignIn>, now = NOW * 1000) =>
  findUnmetRules({ ...nothing, ...rules }, signIn(changes), now)

describe('the methods of an organisation (spec/organisations#policy)', () => {
  it('limit what the pages offer to the methods of the tenant that are also in the list', () => {
    fc.assert(
      fc.property(
        fc.subarray([...organizationMethods]),
        fc.subarray([...organizationMethods]),
        (ofTenant, ofOrganization) => {
          const tenant = limitToMethods(experience, ofTenant)
          expect(offeredMethods(tenant)).toEqual(
            organizationMethods.filter((method) => ofTenant.includes(method)),
          )
          const offered = offeredMethods(limitToMethods(tenant, ofOrganization))
          expect(offered).toEqual(offeredMethods(tenant).filter((method) => ofOrganization.includes(method)))
        },
      ),
      { seed, numRuns: isExhaustive ? 2_000 : 200 },
    )
    expect(limitToMethods(experience, null)).toBe(experience)
    expect(limitToMethods(experience, ['passkey']).forgotPassword).toEqual({ email: false, phone: false })
  })

  const socialProof = bySocial('google', { id: '7' })
  const totp = { kind: 'totp', userId: 'ann', provenAt: 1 } as const
  const emailFactor = { kind: 'emailFactor', userId: 'ann', provenAt: 1 } as const
  const backupCode = { kind: 'backupCode', userId: 'ann', provenAt: 1 } as const
  const key = { ...byPasskey('ann'), isUserVerified: false } as Interaction['proofs'][number]
  const firstProofs = [
    [byPassword('ann'), 'password'],
    [byEmail('a@b.co'), 'code'],
    [byPhone('49'), 'code'],
    [socialProof, 'social'],
  ] as const
  const signIns: readonly (readonly [Interaction['proofs'], OrganizationMethod])[] = [
    ...firstProofs.flatMap(([first, method]) =>
      [[], [totp], [emailFactor], [backupCode], [key]].map((others) => [[first, ...others], method] as const),
    ),
    [[byPasskey('ann')], 'passkey'],
    [[byPasskey('ann'), totp], 'passkey'],
  ]

  it('are satisfied by a sign-in with one of them, and by no weaker one', () => {
    expect(signIns).toHaveLength(22)
    for (const [proofs, method] of signIns) {
      const interaction: Interaction = { event: 'SignIn', proofs }
      const { acr, amr } = deriveAuthentication(interaction, ['totp', 'passkey', 'email', 'phone'])
      const session = { acr, amr, method: methodToRecord(interaction, amr) }
      for (const allowed of organizationMethods) {
        // A security key that was the second factor is a passkey as well.
        const isMet = allowed === method || (allowed === 'passkey' && proofs.includes(key))
        expect([allowed, ...proofs.map(({ kind }) => kind), unmet({ methods: [allowed] }, session)]).toEqual([
          allowed,
          ...proofs.map(({ kind }) => kind),
          isMet ? [] : ['methods'],
        ])
      }
      expect(unmet({ methods: [] }, session)).toEqual(['methods'])
    }
  })

  it('do not count an address of a social account, or a code for a new address, as a code', () => {
    const linked: Interaction = {
      event: 'SignIn',
      proofs: [{ ...byEmail('a@b.co'), connectorId: 'google' } as Interaction['proofs'][number], totp],
    }
    expect(methodToRecord(linked, ['mfa', 'otp'])).toBe('social')
    const adding: Interaction = {
      event: 'SignIn',
      proofs: [byEmail('new@b.co'), socialProof, totp],
      profile: { email: 'new@b.co' },
    }
    expect(methodToRecord(adding, ['mfa', 'otp'])).toBe('social')
  })

  it('are not satisfied by a session whose methods are unknown', () => {
    expect(unmet({ methods: [...organizationMethods] }, { amr: undefined })).toEqual(['methods'])
    expect(unmet({ methods: ['code'] }, { amr: ['mfa', 'otp'] })).toEqual(['methods'])
  })
})

describe('the second factor of an organisation (spec/organisations#policy)', () => {
  it.each([
    [{}, ['secondFactor']],
    [{ acr: 'urn:vestibule:acr:2fa' }, []],
    [{ acr: 'phr' }, []],
    [{ acr: undefined }, ['secondFactor']],
    [{ metRequirement: true }, []],
    [{ appliedPolicy: 'required' as const }, []],
    [{ appliedPolicy: 'optional' as const }, ['secondFactor']],
  ])('is satisfied by two factors, or by a sign-in to which the policy was applied: %j', (session, rules) => {
    expect(unmet({ secondFactor: 'required' }, session)).toEqual(rules)
  })
})

it.each([
  [300, 299_999, []],
  [300, 300_999, []],
  [300, 301_000, ['age']],
  [null, 1e12, []],
])('a session of an organisation with %j seconds is too old after %d ms: %j', (seconds, elapsed, rules) => {
  expect(unmet({ sessionMaxAgeSeconds: seconds }, {}, NOW * 1000 + elapsed)).toEqual(rules)
})

describe('a policy that no member could meet (spec/organisations#policy)', () => {
  const settings = {
    ...DEFAULT_TENANT_SETTINGS,
    secondFactor: { ...DEFAULT_TENANT_SETTINGS.secondFactor, factors: [] },
  }
  const problem = (policy: Parameters<typeof findPolicyProblem>[0], tenant = experience) =>
    findPolicyProblem(policy, { experience: tenant, settings })?.data

  it('is refused with the field that is at fault', () => {
    const byPasswordOnly = limitToMethods(experience, ['password'])
    expect(problem({ methods: ['passkey', 'code'] }, byPasswordOnly)).toMatchObject({
      issues: [{ path: ['policy', 'methods'] }],
    })
    expect(problem({ secondFactor: 'required' }, byPasswordOnly)).toMatchObject({
      issues: [{ path: ['policy', 'secondFactor'] }],
    })
    expect(problem({ secondFactor: 'required', methods: ['password'] })).toMatchObject({
      issues: [{ path: ['policy', 'secondFactor'] }],
    })
  })

  it('is any that leaves no method or factor, and no other', () => {
    expect(problem({})).toBeUndefined()
    expect(problem({ methods: [] }, limitToMethods(experience, []))).toBeUndefined()
    expect(problem({ methods: ['password', 'code'] })).toBeUndefined()
    expect(problem({ secondFactor: 'optional' })).toBeUndefined()
    expect(problem({ secondFactor: 'required', methods: ['passkey'] })).toBeUndefined()
    expect(
      findPolicyProblem(
        { secondFactor: 'required', methods: ['password'] },
        {
          experience,
          settings: { ...settings, secondFactor: { ...settings.secondFactor, factors: ['totp'] } },
        },
      ),
    ).toBeNull()
  })
})
