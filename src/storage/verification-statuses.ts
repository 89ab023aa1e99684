import { and, desc, eq, gte, type SQL, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { randomId } from './ids.ts'
import { verificationStatuses as statuses } from './tables.ts'

/** That somebody has just proved to be there (contract 3, 7.2), to the application that asked. */
type Owner = { tenantId: string; userId: string; grantId: string }

/** A new one in place of those before. For a batch. */
export const rememberVerification = (db: Database, { tenantId, userId, grantId }: Owner, now: number) =>
  [
    forgetVerifications(db, tenantId, userId),
    db.insert(statuses).values({ tenantId, id: randomId(), userId, grantId, createdAt: now }),
  ] as const

/** The same by name, for `commit`. */
export function newVerification(...given: Parameters<typeof rememberVerification>) {
  const [forgotten, remembered] = rememberVerification(...given)
  return { forgotten, remembered }
}

export const forgetVerifications = (db: Database, tenantId: string, userId: string) =>
  db.delete(statuses).where(and(eq(statuses.tenantId, tenantId), eq(statuses.userId, userId)))

export const verificationQuery = (db: Database, owner: Owner) =>
  db
    .select({ createdAt: statuses.createdAt })
    .from(statuses)
    .where(isOf(owner))
    .orderBy(desc(statuses.createdAt))
    .limit(1)

/** As a condition for the statements of a batch. */
export const isVerified = (owner: Owner, since: number): SQL =>
  sql`exists (select 1 from ${statuses} where ${and(isOf(owner), gte(statuses.createdAt, since))})`

const isOf = ({ tenantId, userId, grantId }: Owner) =>
  and(eq(statuses.tenantId, tenantId), eq(statuses.userId, userId), eq(statuses.grantId, grantId))
