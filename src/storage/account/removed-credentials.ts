import { and, eq, gte, isNull, lt, sql } from 'drizzle-orm'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import type { FactorOwner } from '../factors/factors.ts'
import {
  accountDeletions,
  identityAdditions as added,
  backupCodes,
  consents,
  passkeys,
  totpFactors,
  users,
} from '../tables.ts'
import { matchesUserKey } from '../users/users.ts'

type Since = { owner: FactorOwner; since: number }

/**
 * Removes the credentials that were added after `since`, because someone who took over the account may have added them.
 * Backup codes have their own condition.
 */
export function removeCredentialsAddedSince(
  db: Database,
  { owner, since }: Since,
  condition: Condition,
  codesCondition = condition,
) {
  const { tenantId, userId } = owner
  const removeFrom = (
    table: typeof passkeys | typeof totpFactors | typeof backupCodes | typeof consents,
    condition: Condition,
  ) =>
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
    passkeys: removeFrom(passkeys, condition),
    totp: removeFrom(totpFactors, condition),
    codes: removeFrom(backupCodes, codesCondition),
    /** Applications whose consents were removed ask for consent again. */
    consents: removeFrom(consents, condition),
    identities: db
      .update(users)
      .set({
        identities: sql`(select json_group_object(item.key, json(item.value)) from json_each(${users.identities}) as item
          where item.key not in (${linked}))`,
      })
      .where(and(matchesUserKey(tenantId, userId), sql`exists (${linked})`, condition)),
  }
}

/**
 * Cancels a deletion request, because someone who took over the account may have made it. The scheduled maintenance
 * notifies the user, as it does when a sign-in cancels a request.
 */
export const cancelDeletionIf = (
  db: Database,
  { tenantId, userId }: FactorOwner,
  condition: Condition,
  now: number,
) =>
  db
    .update(accountDeletions)
    .set({ canceledAt: now })
    .where(
      and(
        eq(accountDeletions.tenantId, tenantId),
        eq(accountDeletions.userId, userId),
        isNull(accountDeletions.canceledAt),
        condition,
      ),
    )

/** Checks whether the user has an authenticator app that was set up at or after this time. */
export const wasTotpAddedSince = ({ owner: { tenantId, userId }, since }: Since): Condition =>
  sql`exists (select 1 from ${totpFactors} where ${and(
    eq(totpFactors.tenantId, tenantId),
    eq(totpFactors.userId, userId),
    gte(totpFactors.createdAt, since),
  )})`

/** Checks whether the user has an authenticator app or a passkey from before this time. */
export const hasFactorBefore = ({ owner: { tenantId, userId }, since }: Since): Condition => {
  const isOlderIn = (table: typeof passkeys | typeof totpFactors) =>
    sql`exists (select 1 from ${table} where ${and(
      eq(table.tenantId, tenantId),
      eq(table.userId, userId),
      lt(table.createdAt, since),
    )})`
  return sql`(${isOlderIn(passkeys)} or ${isOlderIn(totpFactors)})`
}
