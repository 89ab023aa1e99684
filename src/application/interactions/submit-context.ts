import type { Experience } from '../../contract/experience/experience.ts'
import type { Interaction } from '../../contract/interactions/interaction.ts'
import { factorsFor } from '../../domain/factors/second-factor.ts'
import { getDemand, isAdaptive, isNeverRemembered } from '../../domain/factors/second-factor-policy.ts'
import { deriveAuthentication } from '../../domain/interactions/authentication.ts'
import { type Decision, type SubmitOutcome, withDecisiveProofs } from '../../domain/interactions/submit.ts'
import { agreementToRecord } from '../../domain/interactions/terms.ts'
import { truncateText } from '../../domain/log-bounds.ts'
import { methodToRecord } from '../../domain/organisations/policy.ts'
import { getRememberedPeriod } from '../../domain/sessions/remembered-browser.ts'
import { isInteractionOpen } from '../../storage/interactions/conclusions.ts'
import type { TrustedBrowser } from '../../storage/sessions/trusted-browsers.ts'
import type { Dependencies } from '../dependencies.ts'
import { planDomainJoining } from '../organisations/join-by-domain.ts'
import { newSignInNotice } from '../sessions/new-browser.ts'
import { createTrustedBrowser } from '../sessions/trusted-browsers.ts'
import { createIdentityLink } from '../social/identity-link.ts'
import type { DecidedAuthentication, EffectContext } from './effect.ts'
import type { InteractionCall } from './interaction-call.ts'
import type { StoredSubmitFacts } from './submit-facts.ts'

/** The decision about a submission, with the facts that it is based on. */
type Decided = {
  interaction: Interaction
  decision: Decision
  outcome: SubmitOutcome
  signedIn: StoredSubmitFacts['accounts'][number] | undefined
  experience: Experience
}

/** Returns the context for a submission's effects, and the browser with which the user signs in. */
export function createSubmitContext(
  dependencies: Pick<Dependencies, 'db' | 'now'>,
  { open, tenantId, audit, message, userAgent, place }: InteractionCall,
  facts: StoredSubmitFacts & { at: number },
  { interaction, decision, outcome, signedIn, experience }: Decided,
): { context: EffectContext; browser: TrustedBrowser } {
  const { at, row, secondFactor, rememberRule } = facts
  const remembrance = getRememberedPeriod(outcome, {
    isWished: interaction.remembersBrowser === true,
    rememberDays: isNeverRemembered(signedIn ?? null, secondFactor) ? 0 : rememberRule.days,
    at,
  })
  // A browser that becomes remembered gets a new id, because its old cookie may have been copied.
  const former = remembrance === null ? null : facts.browser
  const browser = {
    ...(facts.browser ?? createTrustedBrowser()),
    ...(former && { id: createTrustedBrowser().id }),
  }
  const connectorId = interaction.profile?.connectorId
  const context: EffectContext = {
    tenantId,
    condition: isInteractionOpen(tenantId, open.uid, row.reset, dependencies.now()),
    at,
    accounts: facts.accountRows,
    additions: facts.additions,
    authentication: authenticate(withDecisiveProofs(decision.interaction, outcome), signedIn, facts),
    newAgreement: agreementToRecord(interaction, experience),
    signsInWith: {
      browserId: browser.id,
      former,
      userAgent: userAgent ? truncateText(userAgent) : null,
      remembrance,
    },
    rememberRule,
    deferral: { interactionId: open.uid, most: secondFactor.maxDeferrals },
    placeFor: (id) => (isAdaptive(id === null ? null : { id }, secondFactor) ? place() : null),
    defaultRoles: facts.defaultRoles,
    linkTo: (userId, target, identity) =>
      createIdentityLink(
        { tenantId, userId, applicationId: row.clientId, message, now: at },
        { target, identity, audit: audit.begin('Account.Identity.Create', { connectorId }) },
      ),
    joinByDomain: (owner, condition, account) =>
      planDomainJoining(
        dependencies,
        { tenantId, audit, domains: facts.automaticDomains },
        { ...owner, condition, account },
      ),
    noticeOfSignIn: (userId) =>
      facts.newSignInNotices && signedIn?.email
        ? newSignInNotice(message, { tenantId, userId, browser: facts.browser, now: dependencies.now() })
        : undefined,
  }
  return { context, browser }
}

/** Returns how the user authenticated, from the proofs on which the outcome is based. */
function authenticate(
  interaction: Interaction,
  signedIn: Decided['signedIn'],
  { secondFactor, organizationPolicies }: StoredSubmitFacts,
): DecidedAuthentication {
  const account = signedIn ?? null
  const authentication = deriveAuthentication(interaction, factorsFor(account, secondFactor))
  const method = methodToRecord(interaction, authentication.amr)
  const organizationPolicy = organizationPolicies.find(({ userId }) => userId === account?.id)?.policy
  return {
    ...authentication,
    ...(getDemand(account, secondFactor) === 'required' && { metRequirement: true }),
    ...(method && { method }),
    ...(organizationPolicy && { organizationPolicy }),
  }
}
