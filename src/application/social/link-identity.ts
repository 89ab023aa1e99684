import type { ConnectorSession } from '../../contract/interactions/interaction.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { refusesConnector } from '../../domain/experience/experience-rules.ts'
import { refuseOldProof } from '../../domain/sessions/verification.ts'
import { commitChange } from '../../storage/commit.ts'
import { allOf } from '../../storage/conditions.ts'
import { updateUserIf } from '../../storage/users/user-changes.ts'
import { isUnrevoked } from '../../storage/users/users.ts'
import { asTaken } from '../account/uniqueness-refusal.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'
import { sendTold } from '../hooks/account-events.ts'
import type { PasskeyAddition } from '../passkeys/new-passkey.ts'
import type { SignedInUser } from '../sessions/access-token.ts'
import { requireRecentProof } from '../sessions/recent-proof.ts'
import { identityLink } from './identity-link.ts'
import { installedConnector } from './installed-connector.ts'
import { authorizationOf, type InstalledSocial, type ProviderAccess, profileOf } from './social-provider.ts'

/** A signed-in user links an account at a provider, with which to sign in from then on (spec/account-centre#identities). */
type LinkDependencies = ProviderAccess &
  Pick<Dependencies, 'db' | 'seals' | 'experience' | 'tenantSettings' | 'deliveries'>

type Told = Pick<PasskeyAddition, 'message' | 'background'>
type Caller = { tenantId: string; signedIn: SignedInUser }

/** Where the browser goes, and what its answer is compared with. */
export async function beginIdentityLink(
  dependencies: LinkDependencies,
  { connectorId, ...caller }: Caller & { connectorId: string },
  way: { state: string; redirectUri: string },
): Promise<{ uri: string; session: ConnectorSession }> {
  await requireRecentProof(dependencies, caller.tenantId, caller.signedIn)
  const { social } = await offeredProvider(dependencies, caller.tenantId, connectorId)
  return authorizationOf(dependencies, social, way)
}

/** An account of another user is refused, and a second one at the same provider. */
export async function linkOwnIdentity(
  dependencies: LinkDependencies,
  {
    tenantId,
    signedIn,
    session,
    data,
    audit,
    message,
    background,
  }: Caller & Told & { session: ConnectorSession; data: Record<string, string>; audit: AuditEntry },
): Promise<void> {
  const { db } = dependencies
  const { user } = signedIn
  const isProven = await requireRecentProof(dependencies, tenantId, signedIn)
  const { social, target } = await offeredProvider(dependencies, tenantId, session.connectorId)
  const profile = await profileOf(dependencies, social, { data, session })
  const condition = allOf(isProven, isUnrevoked(tenantId, user))
  const applicationId = signedIn.token.clientId
  const occasion = { tenantId, userId: user.id, applicationId, message, now: dependencies.now() }
  const link = identityLink(occasion, { target, identity: { userId: profile.id, details: profile }, audit })
  const { changed, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    preconditions: [link.precondition],
    audit: link.audit,
    outbox: link.outbox,
    statements: { changed: updateUserIf(db, tenantId, condition, user.id, link.changes) },
  }).catch(asTaken)
  if (changed.length === 0) orRefuse(refuseOldProof())
  sendTold(dependencies, { tenantId, userId: user.id, outboxIds, background })
}

async function offeredProvider(
  dependencies: LinkDependencies,
  tenantId: string,
  connectorId: string,
): Promise<{ social: InstalledSocial; target: string }> {
  const experience = await dependencies.experience.get(tenantId)
  orRefuse(refusesConnector(experience, connectorId))
  const offered = experience.socialConnectors.find(({ id }) => id === connectorId)
  const social = await installedConnector(dependencies, tenantId, connectorId)
  return offered ? { social, target: offered.target } : refuseWith('entity.not_found')
}
