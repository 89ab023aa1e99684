import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { InvitationState } from '../../contract/access/invitations.ts'
import { hasManagementScope } from '../access/administration.ts'
import { isPendingAt, stateAt } from '../access/invitation-states.ts'
import { inviterName, isActiveInviter, isOperatingInviter } from '../access/inviters.ts'
import { ALWAYS_TRUE, allOf, anyOf, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { organizationInvitations as invitations, organizationRoles, organizations, users } from '../tables.ts'
import { memberMay, memberMayAssign, rolesExist } from './authority.ts'
import { joinStatements } from './memberships.ts'
import type { OrganizationKey } from './organizations.ts'

/** Accepts invitations to organisations by their links (spec/organisations#invitations). */

const matchesDigest = (tenantId: string, digests: readonly string[]) =>
  and(
    eq(invitations.tenantId, tenantId),
    sql`${invitations.digest} in (select value from json_each(${JSON.stringify(digests)}))`,
  )

const roleIdList = { subquery: sql`select value from json_each(${invitations.roleIds})` }

/** The names of those roles of the invitation that exist, as JSON. */
const roleNames = (tenantId: string) =>
  sql<string>`(select json_group_array(${organizationRoles.name}) from ${organizationRoles}
    where ${organizationRoles.tenantId} = ${tenantId} and ${organizationRoles.id} in (${roleIdList.subquery}))`

/**
 * Checks that the inviter could still send the invitation: a member who may manage members and give all of its roles,
 * or an operator or service who may change organisations, and that all roles exist.
 */
function isVouchedFor(tenantId: string): Condition {
  const [inviterType, inviterId] = [sql`${invitations.inviterType}`, sql`${invitations.inviterId}`]
  const invitedAt = sql`coalesce(${invitations.sentAt}, ${invitations.createdAt})`
  const member = { tenantId, organizationId: sql`${invitations.organizationId}`, userId: inviterId }
  const isMemberWithAuthority = allOf(
    isActiveInviter(tenantId, { inviterId, invitedAt }),
    memberMay(member, 'members:manage'),
    memberMayAssign(member, roleIdList),
  )
  const isOperator = isOperatingInviter(tenantId, { inviterType, inviterId, invitedAt }, (holder) =>
    hasManagementScope(tenantId, holder, 'organizations:write'),
  )
  return allOf(
    sql`case ${inviterType} when 'member' then ${isMemberWithAuthority} else ${isOperator} end`,
    rolesExist(tenantId, roleIdList),
  )
}

/** Selects the invitation of a link in any state, with what its page shows and what decides about the acceptance. */
export const organizationInvitationOfLinkQuery = (
  db: Database,
  tenantId: string,
  digests: readonly string[],
  now: number,
) =>
  db
    .select({
      id: invitations.id,
      organizationId: invitations.organizationId,
      organizationName: organizations.name,
      email: invitations.email,
      language: invitations.language,
      roleIds: invitations.roleIds,
      expiresAt: invitations.expiresAt,
      state: sql<InvitationState>`${stateAt(invitations, now)}`.as('state'),
      inviter: inviterName.as('inviter_name'),
      roleNames: roleNames(tenantId).as('role_names'),
      isVouchedFor: sql<number>`${isVouchedFor(tenantId)}`.as('is_vouched_for'),
      accountId: sql<
        string | null
      >`(select account.id from ${users} as account where account.tenant_id = ${tenantId}
        and lower(account.primary_email) = lower(${invitations.email}))`.as('account_id'),
    })
    .from(invitations)
    .innerJoin(
      organizations,
      and(eq(organizations.tenantId, tenantId), eq(organizations.id, invitations.organizationId)),
    )
    .leftJoin(
      users,
      and(
        eq(users.tenantId, tenantId),
        eq(users.id, invitations.inviterId),
        sql`${invitations.inviterType} <> 'app'`,
      ),
    )
    .where(matchesDigest(tenantId, digests))
    .limit(1)

type Acceptance = OrganizationKey & {
  id: string
  digests: readonly string[]
  roleIds: readonly string[]
  userId: string
  now: number
}

/**
 * Builds the statements that accept an invitation, after which the user is a member with its roles. Their condition
 * includes `extraCondition`. As for other invitations, a random value of the request marks the row, so that only one of
 * several concurrent requests can meet the condition (spec/storage#retries).
 */
export function organizationAcceptanceStatements(
  db: Database,
  { tenantId, organizationId, id, digests, roleIds, userId, now }: Acceptance,
  extraCondition: Condition = ALWAYS_TRUE,
) {
  const acceptedIn = randomId()
  const isOpen = anyOf(sql`${isPendingAt(invitations, now)}`, sql`${invitations.acceptedIn} = ${acceptedIn}`)
  const isThis: SQL | undefined = and(eq(invitations.id, id), matchesDigest(tenantId, digests))
  const condition = allOf(
    sql`exists (select 1 from ${invitations} where ${isThis} and ${isOpen} and ${isVouchedFor(tenantId)})`,
    extraCondition,
  )
  const joining = { tenantId, organizationId, userIds: [userId], roleIds, now }
  return {
    condition,
    ...joinStatements(db, { ...joining, source: 'invitation', sourceId: '' }, condition),
    /** Returns a row if the condition held. */
    used: [
      db
        .update(invitations)
        .set({ acceptedAt: now, acceptedBy: userId, acceptedIn })
        .where(and(isThis, condition))
        .returning({ id: invitations.id }),
    ],
  }
}
