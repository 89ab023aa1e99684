import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { registrationTokens as tokens } from '../tables.ts'

/** Initial access tokens (spec/provider#client-registration). Only their digests are stored. */

export type RegistrationTokenRow = Omit<typeof tokens.$inferSelect, 'tenantId' | 'digest'>

const columns = {
  id: tokens.id,
  name: tokens.name,
  usesLeft: tokens.usesLeft,
  expiresAt: tokens.expiresAt,
  createdAt: tokens.createdAt,
}

const MAX_LISTED = 100

/** Lists registration tokens, newest first. */
export const listRegistrationTokens = (db: Database, tenantId: string): Promise<RegistrationTokenRow[]> =>
  db
    .select(columns)
    .from(tokens)
    .where(eq(tokens.tenantId, tenantId))
    .orderBy(desc(tokens.createdAt), desc(tokens.id))
    .limit(MAX_LISTED)
    .all()

export const insertRegistrationToken = (db: Database, token: typeof tokens.$inferSelect) =>
  db.insert(tokens).values(token).returning(columns)

export const removeRegistrationToken = (db: Database, tenantId: string, id: string) =>
  db
    .delete(tokens)
    .where(and(eq(tokens.tenantId, tenantId), eq(tokens.id, id)))
    .returning({ id: tokens.id })

export const registrationTokenExists = (tenantId: string, id: string): Condition =>
  sql`exists (select 1 from ${tokens} where ${and(eq(tokens.tenantId, tenantId), eq(tokens.id, id))})`

export type TokenUse = { tenantId: string; digest: string; now: number }

const isUsable = ({ tenantId, digest, now }: TokenUse) =>
  and(
    eq(tokens.tenantId, tenantId),
    eq(tokens.digest, digest),
    gt(tokens.expiresAt, now),
    gt(tokens.usesLeft, 0),
  )

export const usableTokenQuery = (db: Database, use: TokenUse) =>
  db.select({ id: tokens.id }).from(tokens).where(isUsable(use))

export const isTokenUsable = (use: TokenUse): Condition =>
  sql`exists (select 1 from ${tokens} where ${isUsable(use)})`

/** Counts one use of a token if the condition holds. */
export const consumeRegistrationToken = (db: Database, use: TokenUse, condition: Condition) =>
  db
    .update(tokens)
    .set({ usesLeft: sql`${tokens.usesLeft} - 1` })
    .where(and(isUsable(use), condition))
