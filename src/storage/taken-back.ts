import { and, eq, gte, isNull, type SQL, sql } from 'drizzle-orm'
import type { Condition } from './conditions.ts'
import type { Database } from './database.ts'
import type { FactorOwner } from './factors.ts'
import {
  accountDeletions,
  identityAdditions as added,
  backupCodes,
  passkeys,
  totpFactors,
  users,
} from './tables.ts'
import { hasUserKey, isAnyOf, type UserLookup } from './users.ts'

type Since = { owner: FactorOwner; since: number }

/** The ways in that were added to an account since a time, and its deletion: whoever took it may have asked for them. */
export function takeBackSince(db: Database, { owner, since }: Since, condition: Condition, now: number) {
  const { tenantId, userId } = owner
  const removeFrom = (table: typeof passkeys | typeof totpFactors | typeof backupCodes) =>
    db
      .delete(table)
      .where(
        and(eq(table.tenantId, tenantId), eq(table.userId, userId), gte(table.createdAt, since), condition),
      )
  const linked = sql`select ${added.target} from ${added} where ${and(
    eq(added.tenantId, tenantId),
    eq(added.userId, userId),
    gte(added.createdAt, since),
  )}`
  return {
    passkeys: removeFrom(passkeys),
    totp: removeFrom(totpFactors),
    codes: removeFrom(backupCodes),
    identities: db
      .update(users)
      .set({
        identities: sql`(select json_group_object(held.key, json(held.value)) from json_each(${users.identities}) as held
          where held.key not in (${linked}))`,
      })
      .where(and(hasUserKey(tenantId, userId), sql`${users.identities} <> '{}'`, condition)),
    // The scheduled maintenance tells of it, as where a sign-in has canceled it.
    deletion: db
      .update(accountDeletions)
      .set({ canceledAt: now })
      .where(
        and(
          eq(accountDeletions.tenantId, tenantId),
          eq(accountDeletions.userId, userId),
          isNull(accountDeletions.canceledAt),
          condition,
        ),
      ),
  }
}

/** An authenticator app of this time or later. */
export const hasTotpSince = ({ owner: { tenantId, userId }, since }: Since): Condition =>
  sql`exists (select 1 from ${totpFactors} where ${and(
    eq(totpFactors.tenantId, tenantId),
    eq(totpFactors.userId, userId),
    gte(totpFactors.createdAt, since),
  )})`

/** The ways in of an account that have a time, each with it in epoch milliseconds; identities by their target. */
export type Additions = {
  userId: string
  passkeys: readonly Addition[]
  identities: readonly Addition[]
  totp: readonly Addition[]
}
type Addition = { id: string; at: number }

/** Of each account that any lookup names. */
export function additionsQuery(db: Database, tenantId: string, lookups: readonly UserLookup[]) {
  const listOf = (from: typeof passkeys | typeof added | typeof totpFactors, id: SQL) =>
    sql<string>`(select json_group_array(json_object('id', ${id}, 'at', held.created_at)) from ${from} as held
      where held.tenant_id = users.tenant_id and held.user_id = users.id)`.mapWith(
      (json: string): readonly Addition[] => JSON.parse(json),
    )
  return db
    .select({
      userId: users.id,
      passkeys: listOf(passkeys, sql`held.credential_id`).as('passkeys'),
      identities: listOf(added, sql`held.target`).as('linked'),
      totp: listOf(totpFactors, sql`'totp'`).as('totp'),
    })
    .from(users)
    .where(isAnyOf(tenantId, lookups))
}

/** Ways in that a reset of the password removes (spec/accounts#reset-takes-back). */
export type TakenBack = {
  /** Epoch milliseconds. */
  since: number
  /** Credential ids. */
  passkeys: readonly string[]
  /** Targets. */
  identities: readonly string[]
  hasTotp: boolean
}
