import { and, eq, type SQL, sql } from 'drizzle-orm'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { enqueueMembershipLogouts } from '../hooks/outbox-events.ts'
import { oidcModelInstances as models, organizationUsers } from '../tables.ts'

/** The members who lose an organisation. */
export type EndedMemberships = {
  tenantId: string
  organizationId: string
  userIds: readonly string[]
  /** The issuer of logout tokens for grants whose session has ended. */
  issuer: string
  now: number
}

/**
 * Ends everything that applications may do for these members of an organisation: the applications get logout tokens,
 * and the grants are deleted. Without the membership, the grants are invalid anyway (spec/organisations#revocation).
 * `logouts` comes first, because it reads the grants, and returns the ids of the deliveries.
 */
export function endMembershipAuthorizations(
  db: Database,
  { tenantId, organizationId, userIds, issuer, now }: EndedMemberships,
  condition: Condition = ALWAYS_TRUE,
) {
  const users = sql`(select value from json_each(${JSON.stringify(userIds)}))`
  return {
    logouts: enqueueMembershipLogouts(
      db,
      { tenantId, issuer, now },
      sql`grants.account_id in ${users} and ${isFor(sql`grants.payload`, organizationId)} and ${condition}`,
    ),
    grants: db
      .delete(models)
      .where(
        and(
          eq(models.tenantId, tenantId),
          sql`${models.accountId} in ${users} and ${models.grantId} is null`,
          eq(models.modelName, 'Grant'),
          isFor(sql`${models.payload}`, organizationId),
          condition,
        ),
      ),
  }
}

/**
 * Deletes the grants of all members for an organisation that is deleted in the same batch. Without a membership they are
 * invalid, but they would be valid again if an operator created an organisation with the same id.
 */
export const deleteGrantsOfMembers = (
  db: Database,
  { tenantId, organizationId }: Pick<EndedMemberships, 'tenantId' | 'organizationId'>,
) =>
  db.delete(models).where(
    and(
      eq(models.tenantId, tenantId),
      sql`${models.accountId} in (select ${organizationUsers.userId} from ${organizationUsers}
        where ${organizationUsers.tenantId} = ${tenantId} and ${organizationUsers.organizationId} = ${organizationId})
        and ${models.grantId} is null`,
      eq(models.modelName, 'Grant'),
      isFor(sql`${models.payload}`, organizationId),
    ),
  )

const isFor = (payload: SQL, organizationId: string) =>
  sql`json_extract(${payload}, '$.organizationId') = ${organizationId}`
