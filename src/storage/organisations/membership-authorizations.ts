import { and, eq, type SQL, sql } from 'drizzle-orm'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { enqueueMembershipLogouts } from '../hooks/outbox-events.ts'
import { oidcModelInstances as models, organizationUsers } from '../tables.ts'
import type { OrganizationKey } from './organizations.ts'

/** The end of what applications may do for members of an organisation (spec/organisations#revocation). */

type EndedAuthorizations = OrganizationKey & {
  /** The issuer of logout tokens for grants whose session has ended. */
  issuer: string
  now: number
}

/**
 * Ends everything that applications may do for these members of an organisation: the applications get logout tokens,
 * and the grants are deleted. Without the membership, the grants are invalid anyway.
 */
export function endMembershipAuthorizations(
  db: Database,
  { userIds, ...ended }: EndedAuthorizations & { userIds: readonly string[] },
  condition: Condition = ALWAYS_TRUE,
) {
  const members = sql`select value from json_each(${JSON.stringify(userIds)})`
  return {
    logouts: informApplications(db, ended, members, condition),
    grants: deleteGrants(db, ended, members, condition),
  }
}

/**
 * The number of members whose applications are informed of the deletion of their organisation. Our choice: it bounds
 * the batch and the deliveries in an organisation of 100,000 members.
 */
const MOST_INFORMED = 1000

/**
 * Does the same for all members before their organisation is deleted, except that only the applications of those who
 * used it last are informed. The grants would be valid again if an operator created an organisation with the same id.
 */
export function endOrganizationAuthorizations(
  db: Database,
  ended: EndedAuthorizations,
  condition: Condition,
) {
  const members = sql`select ${organizationUsers.userId} from ${organizationUsers}
    where ${organizationUsers.tenantId} = ${ended.tenantId}
      and ${organizationUsers.organizationId} = ${ended.organizationId}`
  const informed = sql`${members} order by ${organizationUsers.usedAt} desc limit ${MOST_INFORMED}`
  return {
    logouts: informApplications(db, ended, informed, condition),
    grants: deleteGrants(db, ended, members, condition),
  }
}

/** The statement comes before `deleteGrants`, because it reads the grants. It returns the ids of the deliveries. */
const informApplications = (
  db: Database,
  { tenantId, organizationId, issuer, now }: EndedAuthorizations,
  userIds: SQL,
  condition: Condition,
) =>
  enqueueMembershipLogouts(
    db,
    { tenantId, issuer, now },
    sql`grants.account_id in (${userIds}) and ${isFor(sql`grants.payload`, organizationId)} and ${condition}`,
  )

const deleteGrants = (
  db: Database,
  { tenantId, organizationId }: OrganizationKey,
  userIds: SQL,
  condition: Condition,
) =>
  db
    .delete(models)
    .where(
      and(
        eq(models.tenantId, tenantId),
        sql`${models.accountId} in (${userIds}) and ${models.grantId} is null`,
        eq(models.modelName, 'Grant'),
        isFor(sql`${models.payload}`, organizationId),
        condition,
      ),
    )

const isFor = (payload: SQL, organizationId: string) =>
  sql`json_extract(${payload}, '$.organizationId') = ${organizationId}`
