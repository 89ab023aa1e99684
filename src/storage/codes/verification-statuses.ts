import { and, desc, eq, gte, lte, sql } from 'drizzle-orm'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { verificationStatuses as statuses } from '../tables.ts'

/**
 * Records that a user was recently verified, for the application that requested it (spec/accounts#recent-verification).
 */
type Owner = { tenantId: string; userId: string; grantId: string }

/**
 * Stores a verification that replaces earlier ones. A batch that is executed late does not replace a newer verification
 * (spec/storage#late-writes). `condition` requires that the user has not been signed out everywhere, for example by a
 * password change, since the password or code was checked.
 */
export const replaceVerification = (
  db: Database,
  { tenantId, userId, grantId }: Owner,
  { now, condition }: { now: number; condition: Condition },
) => ({
  earlier: db
    .delete(statuses)
    .where(and(isOfUser(tenantId, userId), lte(statuses.createdAt, now), condition)),
  created: db.insert(statuses).select(
    sql`select ${tenantId}, ${randomId()}, ${userId}, ${grantId}, ${now} where ${condition}
      and not exists (select 1 from ${statuses} where ${isOfUser(tenantId, userId)})`,
  ),
})

export const deleteVerifications = (
  db: Database,
  tenantId: string,
  userId: string,
  condition: Condition = ALWAYS_TRUE,
) => db.delete(statuses).where(and(isOfUser(tenantId, userId), condition))

const isOfUser = (tenantId: string, userId: string) =>
  and(eq(statuses.tenantId, tenantId), eq(statuses.userId, userId))

export const verificationQuery = (db: Database, owner: Owner) =>
  db
    .select({ createdAt: statuses.createdAt })
    .from(statuses)
    .where(isOf(owner))
    .orderBy(desc(statuses.createdAt))
    .limit(1)

export const isRecentlyVerified = (owner: Owner, since: number): Condition =>
  sql`exists (select 1 from ${statuses} where ${and(isOf(owner), gte(statuses.createdAt, since))})`

const isOf = ({ tenantId, userId, grantId }: Owner) =>
  and(eq(statuses.tenantId, tenantId), eq(statuses.userId, userId), eq(statuses.grantId, grantId))
