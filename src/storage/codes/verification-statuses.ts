import { and, desc, eq, gte, lte, sql } from 'drizzle-orm'
import { type Condition, isAlwaysTrue } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { verificationStatuses as statuses } from '../tables.ts'

/** Proofs that a user is present, given to the application that asked for one (spec/accounts#recent-verification). */
type Owner = { tenantId: string; userId: string; grantId: string }

/**
 * Stores a verification that replaces the earlier ones. A batch that the database carries out late keeps a newer one
 * (spec/storage#late-writes). `condition` requires that the user was not signed out everywhere after the proof was
 * checked, as happens when the password changes.
 */
export const newVerification = (
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
  condition: Condition = isAlwaysTrue,
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

export const isVerified = (owner: Owner, since: number): Condition =>
  sql`exists (select 1 from ${statuses} where ${and(isOf(owner), gte(statuses.createdAt, since))})`

const isOf = ({ tenantId, userId, grantId }: Owner) =>
  and(eq(statuses.tenantId, tenantId), eq(statuses.userId, userId), eq(statuses.grantId, grantId))
