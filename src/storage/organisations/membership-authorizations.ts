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
export const endMembershipAuthorizations = (
  db: Database,
  { userIds, ...ended }: EndedAuthorizations & { userIds: readonly string[] },
  condition: Condition = ALWAYS_TRUE,
) => endAuthorizations(db, ended, sql`select value from json_each(${JSON.stringify(userIds)})`, condition)

/**
 * The number of members whose applications are informed of the deletion of their organisation. Our choice: it bounds
 * the batch and the deliveries in an organisation of 100,000 members.
 */
const MOST_INFORMED = 1000

/**
 * Does the same for the members who have used an organisation last, before it is deleted. Only members who have used
 * it have grants.
 */
export const endOrganizationAuthorizations = (
  db: Database,
  ended: EndedAuthorizations,
  condition: Condition,
) =>
  endAuthorizations(
    db,
    ended,
    sql`select ${organizationUsers.userId} from ${organizationUsers}
      where ${organizationUsers.tenantId} = ${ended.tenantId}
        and ${organizationUsers.organizationId} = ${ended.organizationId} and ${organizationUsers.usedAt} is not null
      order by ${organizationUsers.usedAt} desc limit ${MOST_INFORMED}`,
    condition,
  )

/** `logouts` comes first, because it reads the grants, and returns the ids of the deliveries. */
function endAuthorizations(
  db: Database,
  { tenantId, organizationId, issuer, now }: EndedAuthorizations,
  userIds: SQL,
  condition: Condition,
) {
  return {
    logouts: enqueueMembershipLogouts(
      db,
      { tenantId, issuer, now },
      sql`grants.account_id in (${userIds}) and ${isFor(sql`grants.payload`, organizationId)} and ${condition}`,
    ),
    grants: db
      .delete(models)
      .where(
        and(
          eq(models.tenantId, tenantId),
          sql`${models.accountId} in (${userIds}) and ${models.grantId} is null`,
          eq(models.modelName, 'Grant'),
          isFor(sql`${models.payload}`, organizationId),
          condition,
        ),
      ),
  }
}

const isFor = (payload: SQL, organizationId: string) =>
  sql`json_extract(${payload}, '$.organizationId') = ${organizationId}`
