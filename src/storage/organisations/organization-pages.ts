import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { ActivityCursor } from '../../domain/account/account-activity.ts'
import { organizationEventKeys } from '../../domain/organisations/organization-activity.ts'
import { isOpenInvitation, isPendingAt } from '../access/invitation-states.ts'
import { ACTIVITY_PAGE_SIZE, auditPage } from '../account/activity-list.ts'
import type { Database } from '../database.ts'
import {
  logs,
  organizationDomains,
  organizationInvitations,
  organizations,
  organizationUsers,
  users,
} from '../tables.ts'
import type { OrganizationKey } from './organizations.ts'

/**
 * Selects what the account centre shows of an organisation to its members (spec/organisations#account-centre). The
 * functions return statements for the batch that also reads the user and the organisation.
 */

/** Selects the number of members, of open invitations and of domains. */
export const organizationCountsQuery = (
  db: Database,
  { tenantId, organizationId }: OrganizationKey,
  now: number,
) =>
  db.all<{ members: number; invitations: number; domains: number }>(sql`select
    (select count(*) from ${organizationUsers} where ${organizationUsers.tenantId} = ${tenantId}
      and ${organizationUsers.organizationId} = ${organizationId}) as members,
    (select count(*) from ${organizationInvitations} where ${organizationInvitations.tenantId} = ${tenantId}
      and ${organizationInvitations.organizationId} = ${organizationId} and ${isPendingAt(organizationInvitations, now)}) as invitations,
    (select count(*) from ${organizationDomains} where ${organizationDomains.tenantId} = ${tenantId}
      and ${organizationDomains.organizationId} = ${organizationId}) as domains`)

/** The name under which others know a user, or null if there is none or the user has been deleted. */
const nameOf = (tenantId: string, userId: SQL) =>
  sql<string | null>`(select coalesce(known.name, known.username, known.primary_email) from ${users} as known
    where known.tenant_id = ${tenantId} and known.id = ${userId})`

const payloadAt = (name: string) => sql`json_extract(${logs.payload}, ${`$.${name}`})`

/**
 * Selects the newest completed changes of an organisation from the audit log, one more than a page shows, with the
 * names of those who made them and of the members and addresses that they concern.
 */
export function organizationActivityQueries(
  db: Database,
  { tenantId, organizationId }: OrganizationKey,
  range: { since: number; before: ActivityCursor | null },
) {
  const { isListed, end } = auditPage(db, tenantId, eq(logs.organizationId, organizationId), range)
  const keys = sql`(select value from json_each(${JSON.stringify(organizationEventKeys)}))`
  const memberId = sql`case when ${logs.key} like 'Management.%' then ${logs.userId} else ${payloadAt('memberId')} end`
  return {
    activity: db
      .select({
        id: sql<string>`${logs.id}`.as('log_id'),
        key: logs.key,
        createdAt: sql<number>`${logs.createdAt}`.as('log_created_at'),
        memberId: sql<string | null>`${memberId}`.as('member_id'),
        memberName: nameOf(tenantId, memberId).as('member_name'),
        actorName: nameOf(tenantId, sql`${logs.userId}`).as('actor_name'),
        invitedAddress: sql<
          string | null
        >`(select ${organizationInvitations.email} from ${organizationInvitations}
          where ${organizationInvitations.tenantId} = ${tenantId} and ${organizationInvitations.id} = ${payloadAt('invitationId')}
          and ${organizationInvitations.organizationId} = ${organizationId})`.as('invited_address'),
        domain: sql<string | null>`${payloadAt('domain')}`.as('domain_name'),
      })
      .from(logs)
      .where(
        and(
          isListed,
          sql`${logs.key} in ${keys} and ${payloadAt('result')} = 'Success'`,
          // The log may contain entries about an organisation that had the same id. The plus sign keeps this out of the
          // search of the index, which needs a single lower bound.
          sql`+${logs.createdAt} >= (select ${organizations.createdAt} from ${organizations}
            where ${organizations.tenantId} = ${tenantId} and ${organizations.id} = ${organizationId})`,
        ),
      )
      .orderBy(desc(logs.createdAt), desc(logs.id))
      .limit(ACTIVITY_PAGE_SIZE + 1),
    end,
  }
}

export const INVITATION_PAGE_SIZE = 20

/** Selects the newest invitations that are neither accepted nor revoked, one more than a page shows. */
export const openInvitationsQuery = (
  db: Database,
  { tenantId, organizationId }: OrganizationKey,
  before: ActivityCursor | null,
) =>
  db
    .select({
      id: organizationInvitations.id,
      email: organizationInvitations.email,
      roleIds: organizationInvitations.roleIds,
      sentAt: organizationInvitations.sentAt,
      createdAt: organizationInvitations.createdAt,
      expiresAt: organizationInvitations.expiresAt,
    })
    .from(organizationInvitations)
    .where(
      and(
        eq(organizationInvitations.tenantId, tenantId),
        eq(organizationInvitations.organizationId, organizationId),
        isOpenInvitation(organizationInvitations),
        before
          ? sql`(${organizationInvitations.createdAt}, ${organizationInvitations.id}) < (${before.createdAt}, ${before.id})`
          : undefined,
      ),
    )
    .orderBy(desc(organizationInvitations.createdAt), desc(organizationInvitations.id))
    .limit(INVITATION_PAGE_SIZE + 1)
