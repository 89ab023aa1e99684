import type { Client, Provider, Session } from 'oidc-provider'
import { z } from 'zod'
import { isRecord } from '../../contract/is-record.ts'
import { organizationMethods } from '../../contract/organisations/organizations.ts'
import { addedSecondFactorPolicies } from '../../contract/tenants/settings.ts'
import type { SessionSignIn } from '../../domain/organisations/policy.ts'
import { storeField } from '../persistence/stored-field.ts'

/**
 * The decision about the last sign-in of a session. A session with one factor is sufficient for an application's
 * policy, for an organisation's, or for administrators only if its sign-in was subject to their requirements
 * (spec/accounts#second-factor-policy, #administrators-policy).
 */
const SignInDecision = z.object({
  /** The time of the sign-in, in epoch seconds. A later sign-in of the session makes the decision obsolete. */
  at: z.number(),
  clientId: z.string(),
  /** The policy of the application, as `describePolicy` returns it. */
  policy: z.string().nullable(),
  /** True if the policies required a second factor of the account and the sign-in was accepted. */
  metRequirement: z.boolean(),
  /** The method that identified the account, if `amr` does not tell. */
  method: z.enum(organizationMethods).optional(),
  /** The second-factor policy of the organisation for which the user was about to act. */
  organizationPolicy: z.enum(addedSecondFactorPolicies).optional(),
})
type SignInDecision = z.infer<typeof SignInDecision>

/**
 * Records the decision after every sign-in for which something was required, before the library checks whether the
 * request needs another one.
 */
export function recordSignInDecisions(provider: Provider): void {
  storeField(provider.Session, FIELD)
  provider.on('interaction.ended', ({ oidc: { session, client, result } }) => {
    const login: unknown = result?.login
    if (!session?.loginTs || !client || !isRecord(login)) return
    Reflect.deleteProperty(session, FIELD)
    const policy = describePolicy(client)
    const { metRequirement = false, method, organizationPolicy } = login
    if (policy === null && !metRequirement && !method && !organizationPolicy) return
    const decision = {
      at: session.loginTs,
      clientId: client.clientId,
      policy,
      metRequirement,
      method,
      organizationPolicy,
    }
    Object.assign(session, { [FIELD]: decision })
  })
}

/** Returns the last sign-in of a session, as the policies of organisations judge it (spec/organisations#policy). */
export function sessionSignIn(session: Session): SessionSignIn {
  const { metRequirement = false, method, organizationPolicy = null } = decisionOf(session) ?? {}
  const { loginTs: at = 0, acr, amr } = session
  return { at, acr, amr, method, metRequirement, appliedPolicy: organizationPolicy }
}

/** Checks whether the sign-in of a session was accepted while the account needed a second factor. */
export const metRequirement = (session: Session): boolean => decisionOf(session)?.metRequirement === true

/** Checks whether the sign-in of a session was subject to the policy that the application has now. */
export function wasSubjectTo(session: Session, client: Client): boolean {
  const decision = decisionOf(session)
  return decision?.clientId === client.clientId && decision.policy === describePolicy(client)
}

/**
 * Describes what an application requires in addition to the tenant's policy, as text that is compared with that of a
 * later time. Returns null if it requires nothing.
 */
export function describePolicy({ secondFactorPolicy: policy, rememberDays }: Client): string | null {
  const isNeverRemembered = rememberDays === 0
  if (typeof policy !== 'string' && !isNeverRemembered) return null
  return `${policy ?? ''}${isNeverRemembered ? ' each' : ''}`
}

/** Returns the decision about the session's last sign-in, or undefined if nothing was recorded. */
function decisionOf(session: Session): SignInDecision | undefined {
  const { data } = SignInDecision.safeParse(Reflect.get(session, FIELD))
  return data?.at === session.loginTs ? data : undefined
}

const FIELD = 'decision'
