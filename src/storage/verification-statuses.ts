import { and, desc, eq, gte, sql } from 'drizzle-orm'
import type { Condition } from './conditions.ts'
import type { Database } from './database.ts'
import { randomId } from './ids.ts'
import { verificationStatuses as statuses } from './tables.ts'

/** A user has just proved to be present, to the application that asked (spec/accounts#recent-verification). */
type Owner = { tenantId: string; userId: string; grantId: string }

/** A new verification in place of the earlier ones. */
export const newVerification = (db: Database, { tenantId, userId, grantId }: Owner, now: number) => ({
  earlier: deleteVerifications(db, tenantId, userId),
  created: db.insert(statuses).values({ tenantId, id: randomId(), userId, grantId, createdAt: now }),
})

export const deleteVerifications = (db: Database, tenantId: string, userId: string) =>
  db.delete(statuses).where(and(eq(statuses.tenantId, tenantId), eq(statuses.userId, userId)))

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
