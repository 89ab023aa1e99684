import { type KoaContextWithOIDC, interactionPolicy as policies } from 'oidc-provider'
import { isInNetworks } from '../../contract/organisations/networks.ts'
import { NETWORK_PROMPT, NETWORK_REFUSAL } from '../../contract/organisations/organizations.ts'
import { readOrganizationPolicy } from '../../contract/organisations/policy.schema.ts'
import { findUnmetRules } from '../../domain/organisations/policy.ts'
import { chosenMembership } from '../access/organization.ts'
import { recordRefusedNetwork } from '../audit.ts'
import { getProviderRequest } from '../request-context.ts'
import { sessionSignIn } from './sign-in-decision.ts'

const { Check, Prompt } = policies

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

/**
 * The prompt before the consent, whose page says that the organisation does not allow the user's network
 * (spec/organisations#networks). It precedes the consent, so that nobody consents to what is refused anyway. Token
 * requests are not checked, because they come from servers.
 */
export function createNetworkPrompt() {
  const otherNetwork = new Check('network_not_allowed', NETWORK_REFUSAL, 'access_denied', async (ctx) => {
    const membership = await chosenMembership(ctx)
    const networks = membership ? readOrganizationPolicy(membership.policy).networks : null
    if (!membership || networks === null || isInNetworks(getProviderRequest().ip, networks)) return false
    recordRefusedNetwork(ctx, membership.id)
    return true
  })
  return new Prompt({ name: NETWORK_PROMPT, requestable: false }, otherNetwork)
}
