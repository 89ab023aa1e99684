import { z } from 'zod'
import type { OrganizationChoice } from '../../contract/interactions/boot.ts'
import { PERSONAL, SELECT_ORGANIZATION } from '../../contract/organisations/organizations.ts'
import { refuseWith } from '../../contract/refused.ts'
import { accountLabel } from '../../domain/applications/consent.ts'
import { notAudited } from '../../storage/commit.ts'
import { allOf } from '../../storage/conditions.ts'
import { concludeInteraction, isInteractionOpen } from '../../storage/interactions/conclusions.ts'
import { hasSessionWithUid } from '../../storage/interactions/oidc-models.ts'
import { interactionUserId } from '../../storage/interactions/oidc-reads.ts'
import { membershipsOfUserQuery } from '../../storage/organisations/memberships.ts'
import { isUnrevoked, toAccount } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall, OpenInteraction } from '../interactions/interaction-call.ts'
import type { OidcInteraction } from '../interactions/oidc-interaction.ts'

/** The choice of an organisation in an authorization request (spec/organisations#page). */

/** The details of the prompt that asks for an organisation, as the provider stored them. */
const ChoiceDetails = z.object({ allowsPersonal: z.boolean() })

const interactionKey = (tenantId: string, id: string) => ({ tenantId, modelName: 'Interaction', id })

type PageRequest = { tenantId: string; open: OpenInteraction; switchUrl: string | null; language: string }

/**
 * Reads what the page offers in one round trip: the organisations of the session's user, those that they have used
 * first, and the others in the order of their names.
 */
export async function readOrganizationChoice(
  { db, applications }: Pick<Dependencies, 'db' | 'applications'>,
  { tenantId, open, switchUrl, language }: PageRequest,
): Promise<OrganizationChoice> {
  const user = interactionUserId(interactionKey(tenantId, open.uid))
  const { row, results, ...read } = await open.readWith({
    memberships: membershipsOfUserQuery(db, tenantId, user),
  })
  const { allowsPersonal } = requireChoice(row, read)
  const application = await applications.get(JSON.stringify([tenantId, row.clientId]))
  const account = toAccount(read.user ?? notWaiting())
  const { compare } = new Intl.Collator(language, { numeric: true })
  const memberships = results.memberships.toSorted(
    (one, other) => (other.usedAt ?? 0) - (one.usedAt ?? 0) || compare(one.name, other.name),
  )
  return {
    application: application?.name ?? null,
    account: { label: accountLabel(account), avatar: account.avatar, switchUrl },
    organizations: memberships.map(({ id, name }) => ({ id, name })),
    lastUsedId: memberships.find(({ usedAt }) => usedAt !== null)?.id ?? null,
    allowsPersonal,
  }
}

/**
 * Stores the choice for POST /interaction/organization and returns the URL at which the browser continues. The provider
 * checks the membership again when it creates the grant.
 */
export async function chooseOrganization(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { open, tenantId }: InteractionCall,
  organizationId: string,
): Promise<string> {
  const user = interactionUserId(interactionKey(tenantId, open.uid))
  const { row, results, ...read } = await open.readWith({
    memberships: membershipsOfUserQuery(db, tenantId, user, organizationId),
  })
  const { allowsPersonal } = requireChoice(row, read)
  const isAllowed = organizationId === PERSONAL ? allowsPersonal : results.memberships.length > 0
  if (!isAllowed) refuseWith('organization.not_member')
  const { session } = row
  const [first, ...logs] = await open.takeHeldLogs()
  const concluded = await concludeInteraction(db, {
    tenantId,
    uid: open.uid,
    result: { ...row.lastSubmission, [SELECT_ORGANIZATION]: { organizationId } },
    // Without the last two conditions, the choice from an ended session could apply to the next user's session.
    condition: allOf(
      isInteractionOpen(tenantId, open.uid, row.reset, now()),
      hasSessionWithUid(tenantId, session?.uid ?? ''),
      isUnrevoked(tenantId, read.user ?? notWaiting()),
    ),
    statements: {},
    audit: first ? [first, ...logs] : notAudited('the tokens are audited with their organisation'),
  })
  if (!concluded) refuseWith('session.verification_session_not_found')
  await open.conclude('signedIn')
  return row.returnTo
}

function requireChoice(
  { isConcluded, session, prompt }: OidcInteraction,
  { user, isOwnSession }: { user: unknown; isOwnSession: boolean },
) {
  if (isConcluded) refuseWith('session.verification_session_not_found')
  if (!session || !user || !isOwnSession || prompt.name !== SELECT_ORGANIZATION) notWaiting()
  return ChoiceDetails.parse(prompt.details)
}

function notWaiting(): never {
  refuseWith('session.not_found', {
    error_description: 'the interaction does not ask for an organization',
  })
}
