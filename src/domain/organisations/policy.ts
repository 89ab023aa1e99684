/**
 * Decides what an organisation requires of its members, in addition to the tenant (spec/organisations#policy). A
 * sign-in that does not satisfy it is repeated and not refused. The second factor is part of the rule for all policies
 * (`domain/factors/second-factor-policy.ts`).
 */
import type { Refusal } from '../../contract/errors.ts'
import type { Experience } from '../../contract/experience/experience.ts'
import type { Interaction } from '../../contract/interactions/interaction.ts'
import { unprocessableInput } from '../../contract/invalid-input.ts'
import type {
  OrganizationMethod,
  OrganizationPolicy,
  OrganizationRules,
} from '../../contract/organisations/organizations.ts'
import type { AddedSecondFactorPolicy, TenantSettings } from '../../contract/tenants/settings.ts'
import { acceptedFactors, isSecondFactor } from '../factors/second-factor.ts'
import { reachesLevel } from '../interactions/authentication.ts'
import { isProfileProof } from '../interactions/proofs.ts'

type Offered = Pick<Experience, 'signIn' | 'socialConnectors' | 'passkeys'>

/** Returns the methods with which users of the tenant can sign in. */
export function offeredMethods({ signIn, socialConnectors, passkeys }: Offered): OrganizationMethod[] {
  return [
    ...(signIn.methods.some(({ password }) => password) ? (['password'] as const) : []),
    ...(signIn.methods.some(({ verificationCode }) => verificationCode) ? (['code'] as const) : []),
    ...(passkeys ? (['passkey'] as const) : []),
    ...(socialConnectors.length > 0 ? (['social'] as const) : []),
  ]
}

/** Returns the experience with only those ways to sign in that the organisation allows. */
export function limitToMethods(experience: Experience, methods: OrganizationRules['methods']): Experience {
  if (methods === null) return experience
  const allows = (method: OrganizationMethod) => methods.includes(method)
  const { passkeys, signIn, forgotPassword, ...others } = experience
  return {
    ...others,
    signIn: {
      methods: signIn.methods
        .map((method) => ({
          ...method,
          password: method.password && allows('password'),
          verificationCode: method.verificationCode && allows('code'),
        }))
        .filter(({ password, verificationCode }) => password || verificationCode),
    },
    forgotPassword: allows('password') ? forgotPassword : { email: false, phone: false },
    ...(passkeys && allows('passkey') && { passkeys }),
    ...(!allows('social') && { socialConnectors: [], socialSignInConnectorTargets: [] }),
  }
}

/** Returns an error if no member could meet a policy, because the tenant lacks what the policy requires. */
export function findPolicyProblem(
  { methods = [], secondFactor }: OrganizationPolicy,
  {
    experience,
    settings,
  }: { experience: Offered; settings: Pick<TenantSettings, 'secondFactor' | 'passkeys'> },
): Refusal | null {
  const offered = offeredMethods(experience)
  const usable = methods.length > 0 ? methods.filter((method) => offered.includes(method)) : offered
  const isWithoutMethod = methods.length > 0 && usable.length === 0
  // A passkey is two factors in one, so it needs no other factor.
  const isWithoutFactor =
    secondFactor === 'required' && acceptedFactors(settings).length === 0 && !usable.includes('passkey')
  const issues = [
    ...(isWithoutMethod
      ? [{ path: ['policy', 'methods'], message: 'has no method that the tenant offers' }]
      : []),
    ...(isWithoutFactor
      ? [
          {
            path: ['policy', 'secondFactor'],
            message: 'is not possible, because the tenant accepts no second factor',
          },
        ]
      : []),
  ]
  return issues.length > 0 ? unprocessableInput(issues) : null
}

/** The last sign-in of a session. */
export type SessionSignIn = {
  /** The time of the sign-in, in epoch seconds. */
  at: number
  acr: string | undefined
  amr: readonly string[] | undefined
  /** The first method, if `amr` does not tell. */
  method?: OrganizationMethod | undefined
  /** True if the policies required a second factor of the account and accepted the sign-in. */
  metRequirement: boolean
  /** The second-factor policy of an organisation that was applied to the sign-in. */
  appliedPolicy: AddedSecondFactorPolicy | null
}

/**
 * Returns the rules that the sign-in of a session does not satisfy. A session with one factor satisfies a second-factor
 * policy only if its sign-in was subject to the same policy.
 */
export function findUnmetRules(
  { methods, secondFactor, sessionMaxAgeSeconds }: OrganizationRules,
  signIn: SessionSignIn,
  now: number,
): ('methods' | 'secondFactor' | 'age')[] {
  const isOld = sessionMaxAgeSeconds !== null && isOlderThan(signIn.at, sessionMaxAgeSeconds, now)
  const hasMethod = methods === null || usedMethods(signIn).some((method) => methods.includes(method))
  const hasFactor =
    secondFactor === null ||
    signIn.metRequirement ||
    signIn.appliedPolicy === secondFactor ||
    reachesLevel(signIn.acr, 'urn:vestibule:acr:2fa')
  return [
    ...(hasMethod ? [] : (['methods'] as const)),
    ...(hasFactor ? [] : (['secondFactor'] as const)),
    ...(isOld ? (['age'] as const) : []),
  ]
}

/** Reports whether a sign-in at `at`, in epoch seconds, is older than an organisation allows. `now` is in milliseconds. */
const isOlderThan = (at: number, seconds: number, now: number): boolean =>
  at + seconds < Math.floor(now / 1000)

/**
 * Returns the methods that a sign-in certainly used. With a second factor, `otp` does not tell whether a code or an
 * authenticator app was used, so such a sign-in records its method.
 */
function usedMethods({ amr, method }: Pick<SessionSignIn, 'amr' | 'method'>): OrganizationMethod[] {
  if (amr === undefined) return []
  const certain: OrganizationMethod[] = [
    ...(amr.includes('pwd') ? (['password'] as const) : []),
    ...(amr.includes('hwk') || amr.includes('swk') ? (['passkey'] as const) : []),
    ...(method ? [method] : []),
  ]
  if (certain.length > 0 || amr.includes('mfa')) return certain
  return [amr.includes('otp') ? 'code' : 'social']
}

/** Returns the method that identified the account, if the `amr` of the sign-in does not tell. */
export function methodToRecord(
  { event, proofs, profile = {} }: Interaction,
  amr: readonly string[],
): OrganizationMethod | undefined {
  if (event !== 'SignIn' || !amr.includes('mfa')) return undefined
  const first = proofs.find((proof) => !isSecondFactor(proof) && !isProfileProof(proof, profile))
  if (first?.kind === 'social') return 'social'
  if (first?.kind !== 'email' && first?.kind !== 'phone') return undefined
  return first.connectorId === undefined ? 'code' : 'social'
}
