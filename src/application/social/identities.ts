import type { ConnectorSession } from '../../contract/interactions/interaction.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { checkOfferedConnector } from '../../domain/experience/experience-rules.ts'
import { findRemainingSignInOption } from '../../domain/interactions/ways-to-sign-in.ts'
import { refuseOldProof } from '../../domain/sessions/verification.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import { allOf, anyOf, not } from '../../storage/conditions.ts'
import { conditionQuery } from '../../storage/factors/factors.ts'
import { updateUserIf } from '../../storage/users/user-changes.ts'
import { hasIdentity, hasSignInOption, isUnrevoked, toAccount } from '../../storage/users/users.ts'
import type { OwnCall } from '../account/own-call.ts'
import { rethrowAsConflict } from '../account/uniqueness-refusal.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { dispatchNotifications, identitiesChangedEvents } from '../hooks/events.ts'
import type { SignedInUser } from '../sessions/access-token.ts'
import { requireCurrentProof, requireStepUp } from '../sessions/step-up.ts'
import { createIdentityLink } from './identity-link.ts'
import {
  beginAuthorization,
  fetchSocialProfile,
  type InstalledSocialConnector,
  requireSocialConnector,
  type SocialProviderDependencies,
} from './provider.ts'

/** Lets signed-in users link provider accounts with which they can then sign in (spec/account-centre#identities). */
type LinkDependencies = SocialProviderDependencies &
  Pick<Dependencies, 'db' | 'seals' | 'experience' | 'tenantSettings' | 'deliveries'>

type Caller = { tenantId: string; signedIn: SignedInUser }
type IdentityResponse = Caller &
  OwnCall & { session: ConnectorSession; data: Record<string, string>; audit: AuditEntry }

/**
 * Returns the URL to which the browser is redirected, and the connector session with which the provider's response is
 * verified.
 */
export async function beginIdentityLink(
  dependencies: LinkDependencies,
  { connectorId, ...caller }: Caller & { connectorId: string },
  redirect: { state: string; redirectUri: string },
): Promise<{ uri: string; session: ConnectorSession }> {
  await requireStepUp(dependencies, caller.tenantId, caller.signedIn)
  const { social } = await offeredProvider(dependencies, caller.tenantId, connectorId)
  return beginAuthorization(dependencies, social, redirect)
}

/**
 * Links the account that the provider reports. Throws if another user has linked it, or if this user has already linked
 * an account at the same provider.
 */
export async function linkOwnIdentity(
  dependencies: LinkDependencies,
  { tenantId, signedIn, session, data, audit, message, background }: IdentityResponse,
): Promise<void> {
  const { db } = dependencies
  const { user } = signedIn
  const isProven = await requireStepUp(dependencies, tenantId, signedIn)
  const { social, target } = await offeredProvider(dependencies, tenantId, session.connectorId)
  const profile = await fetchSocialProfile(dependencies, social, { data, session })
  const condition = allOf(isProven, isUnrevoked(tenantId, user))
  const applicationId = signedIn.token.clientId
  const context = { tenantId, userId: user.id, applicationId, message, now: dependencies.now() }
  const link = createIdentityLink(context, {
    target,
    identity: { userId: profile.id, details: profile },
    audit,
  })
  const { changed, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    // Callers without a valid proof must not find out whether the identity is in use.
    preconditions: [{ ...link.precondition, condition: anyOf(not(condition), link.precondition.condition) }],
    audit: link.audit,
    outbox: link.outbox,
    statements: { changed: updateUserIf(db, tenantId, condition, user.id, link.changes) },
  }).catch(rethrowAsConflict)
  if (changed.length === 0) throwIfRefused(refuseOldProof())
  dispatchNotifications(dependencies, { tenantId, userId: user.id, outboxIds, background })
}

async function offeredProvider(
  dependencies: LinkDependencies,
  tenantId: string,
  connectorId: string,
): Promise<{ social: InstalledSocialConnector; target: string }> {
  const experience = await dependencies.experience.get(tenantId)
  throwIfRefused(checkOfferedConnector(experience, connectorId))
  const button = experience.socialConnectors.find(({ id }) => id === connectorId)
  const social = await requireSocialConnector(dependencies, tenantId, connectorId)
  return button ? { social, target: button.target } : refuseWith('entity.not_found')
}

type IdentityRemoval = Caller & OwnCall & { target: string; beginAudit(): AuditEntry }

/** Unlinks an identity of a user who has recently been verified, unless the user could then no longer sign in. */
export async function unlinkOwnIdentity(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'experience' | 'tenantSettings' | 'deliveries'>,
  { tenantId, signedIn, target, beginAudit, message, background }: IdentityRemoval,
): Promise<void> {
  const { db, experience, now } = dependencies
  const { user } = signedIn
  if (!Object.hasOwn(user.identities, target)) refuseWith('user.identity_not_exist', undefined, 404)
  const isProven = await requireStepUp(dependencies, tenantId, signedIn)
  const option = findRemainingSignInOption({ target }, toAccount(user), await experience.get(tenantId))
  if (!option) refuseWith('user.last_sign_in_method')

  // This condition prevents two concurrent calls from removing the user's last two sign-in options.
  const isStillProven = allOf(isProven, isUnrevoked(tenantId, user))
  const isLinked = hasIdentity(tenantId, user.id, target)
  const condition = allOf(isLinked, hasSignInOption(tenantId, user.id, option), isStillProven)
  const applicationId = signedIn.token.clientId
  const entry = beginAudit().success()
  const context = { tenantId, userId: user.id, applicationId, message, entry, now: now() }
  const { changed, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: entry,
    outbox: identitiesChangedEvents(context),
    statements: { changed: updateUserIf(db, tenantId, condition, user.id, { removeIdentity: target }) },
  })
  if (changed.length === 0) {
    const { linked } = await readTogether(db, { linked: conditionQuery(db, isLinked) })
    if (linked.length === 0) refuseWith('user.identity_not_exist', undefined, 404)
    await requireCurrentProof(dependencies, isStillProven)
    refuseWith('user.last_sign_in_method')
  }
  dispatchNotifications(dependencies, { tenantId, userId: user.id, outboxIds, background })
}
