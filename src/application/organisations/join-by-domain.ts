import { domainOfAddress } from '../../contract/organisations/domains.ts'
import { refuseWith } from '../../contract/refused.ts'
import type { Statements } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import type { Condition } from '../../storage/conditions.ts'
import {
  newMembersJson,
  type OrganizationEvents,
  presentMembersJson,
} from '../../storage/hooks/organization-events.ts'
import type { NewLog } from '../../storage/logs.ts'
import {
  domainJoinStatements,
  type JoiningDomain,
  suggestedOrganizationsQuery,
} from '../../storage/organisations/domain-members.ts'
import { isUnrevoked, type UserRow } from '../../storage/users/users.ts'
import type { AuditEntry, AuditTrail } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { dispatchHooks, type MessageDispatch } from '../hooks/user-events.ts'
import { membersEvent } from './members.ts'

/** Joining the organisation that has proved the domain of one's verified address (spec/organisations#joining). */

/**
 * Makes a user a member who accepts the suggestion to join. The roles are those that the domain gives at this moment.
 * The caller has begun the audit entry with the `organizationId`.
 */
export async function joinByDomain(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  { tenantId, organizationId }: { tenantId: string; organizationId: string },
  { user, audit, hooks }: { user: UserRow; audit: AuditEntry; hooks: MessageDispatch },
): Promise<void> {
  const { db, now } = dependencies
  const suggested = await suggestedOrganizationsQuery(db, tenantId, user.id)
  const domain = suggested.find((each) => each.organizationId === organizationId)
  if (!domain) return refuseWith('entity.not_found')
  audit.add({ userId: user.id, domain: domain.domain })
  const joining = {
    ...domain,
    tenantId,
    userId: user.id,
    modes: ['suggest', 'automatic'],
    now: now(),
  } as const
  const { mayJoin, statements } = domainJoinStatements(db, joining, isUnrevoked(tenantId, user))
  const { outboxIds, ...rows } = await commitChange(db, {
    tenantId,
    condition: mayJoin,
    audit: audit.success(),
    statements: { ...statements, joined: suggestedOrganizationsQuery(db, tenantId, user.id) },
    outbox: { hooksBefore: [joinedEvent(joining, 'existing')] },
  })
  if (rows.joined.length > 0) refuseWith('entity.not_found')
  dispatchHooks(dependencies, { tenantId, outboxIds }, hooks)
}

type Joining = Pick<JoiningDomain, 'organizationId' | 'roleIds'> & {
  tenantId: string
  userId: string
  now: number
}

/**
 * Returns the hook event about a user who joins by a domain. The event about a new account follows its statements, and
 * that about an existing one precedes them.
 */
function joinedEvent(
  { tenantId, organizationId, userId, roleIds, now }: Joining,
  account: 'new' | 'existing',
) {
  const members = { tenantId, organizationId, userIds: [userId] }
  const added = account === 'new' ? presentMembersJson(members) : newMembersJson(members, roleIds)
  return membersEvent({ now: () => now }, organizationId, { actor: { type: 'user', id: userId } }, { added })
}

/** The automatic joining of somebody who signs in or registers, as parts of the batch of the sign-in. */
export type DomainJoining = {
  statements: Statements
  audit: NewLog
  hooksBefore?: readonly OrganizationEvents[]
  hooks?: readonly OrganizationEvents[]
}

type Occasion = { tenantId: string; audit: AuditTrail; domains: readonly JoiningDomain[] }
type Owner = {
  userId: string
  /** The verified address of the account after the sign-in. */
  email: string | null | undefined
  condition: Condition
  account: 'new' | 'existing'
}

/**
 * Plans the automatic joining of the owner of a verified address. Returns undefined if no domain lets the user join, or
 * if the user is a member already or has left. The statements check the domain and the address again.
 */
export function planDomainJoining(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { tenantId, audit, domains }: Occasion,
  { userId, email, condition, account }: Owner,
): DomainJoining | undefined {
  const domain = email
    ? domains.find((each) => each.domain === domainOfAddress(email) && !each.excludedUserIds.includes(userId))
    : undefined
  if (!domain) return undefined
  const { organizationId } = domain
  const joining = { ...domain, tenantId, userId, modes: ['automatic'], now: now() } as const
  const { statements } = domainJoinStatements(db, joining, condition)
  const events = [joinedEvent(joining, account)]
  return {
    statements,
    audit: audit
      .begin('Organization.Member.Join', { organizationId, userId, domain: domain.domain })
      .success(),
    ...(account === 'new' ? { hooks: events } : { hooksBefore: events }),
  }
}
