import type { KoaContextWithOIDC } from 'oidc-provider'
import { readOrganizationPolicy } from '../../contract/organisations/policy.schema.ts'
import { findUnmetRules } from '../../domain/organisations/policy.ts'
import { chosenMembership } from '../access/organization.ts'
import { getProviderRequest } from '../request-context.ts'
import { sessionSignIn } from './sign-in-decision.ts'

/**
 * Reports whether the user has to sign in again, because the session does not satisfy the policy of the organisation
 * for which the user acts (spec/organisations#policy). The rows of memberships contain the policies, so this reads
 * nothing. It may ask again right after a sign-in: until then, it was not known that the user is a member.
 */
export async function organizationRequiresSignIn(ctx: KoaContextWithOIDC): Promise<boolean> {
  const membership = await chosenMembership(ctx)
  const { session } = ctx.oidc
  if (!membership || !session) return false
  const rules = readOrganizationPolicy(membership.policy)
  return findUnmetRules(rules, sessionSignIn(session), getProviderRequest().now()).length > 0
}
