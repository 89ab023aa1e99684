import { and, count, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import {
  BACKUP_CODE_COUNT,
  BACKUP_CODE_LENGTH,
  formatBackupCode,
  parseBackupCode,
} from '../../domain/factors/backup-codes.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { logFailure } from '../event-log.ts'
import { type SealLabel, type Seals, UnreadableSeal } from '../seal.ts'
import { backupCodes, passkeys, secondFactorDeferrals, totpFactors, users } from '../tables.ts'
import { matchesAnyLookup, type UserLookup } from '../users/users.ts'

/** The second factors of users (spec/accounts#second-factors). */

export type FactorOwner = { tenantId: string; userId: string }

export const totpLabel = (tenantId: string, userId: string): SealLabel => `totp/${tenantId}/${userId}`

/** Decrypts the secret of an authenticator app. Returns null if that is not possible, which is logged. */
export async function openTotpSecret(
  seals: Seals,
  { tenantId, userId }: FactorOwner,
  sealed: string,
): Promise<string | null> {
  const secret = await seals.open(totpLabel(tenantId, userId), sealed)
  if (typeof secret === 'string') return secret
  logFailure(new UnreadableSeal(`The authenticator secret of user ${userId}`, sealed), { tenantId })
  return null
}

/**
 * The label contains no user id, because a new account has no id before its registration is submitted. The id is not
 * needed, because backup codes are random.
 */
const codeLabel = (tenantId: string): SealLabel => `backup-code/${tenantId}`

type CountedTable = typeof totpFactors | typeof backupCodes | typeof passkeys | typeof secondFactorDeferrals

/** Selects the second factors of each account that the lookups match. */
export function enrolledFactorsQuery(db: Database, tenantId: string, lookups: readonly UserLookup[]) {
  // The table name is written out, because drizzle omits table names in single-table queries.
  const countOf = (table: CountedTable) =>
    sql<number>`(select count(*) from ${table} as item
      where item.tenant_id = users.tenant_id and item.user_id = users.id)`
  return db
    .select({
      userId: users.id,
      totp: countOf(totpFactors).mapWith(Boolean).as('totp'),
      backupCodes: countOf(backupCodes).as('backup_codes'),
      passkeys: countOf(passkeys).as('passkeys'),
      deferrals: countOf(secondFactorDeferrals).as('deferrals'),
    })
    .from(users)
    .where(matchesAnyLookup(tenantId, lookups))
}

export const totpQuery = (db: Database, owner: FactorOwner) =>
  db
    .select({
      secret: totpFactors.secret,
      lastStep: totpFactors.lastStep,
      createdAt: totpFactors.createdAt,
      lastUsedAt: totpFactors.lastUsedAt,
    })
    .from(totpFactors)
    .where(hasTotpKey(owner))

export const backupCodeCountQuery = (db: Database, owner: FactorOwner) =>
  db.select({ left: count() }).from(backupCodes).where(isCodeOf(owner))

/**
 * Marks a time step as used. Of several concurrent attempts with the code of a step, only the first one gets a row
 * back. `secret` is the secret with which the code was compared.
 */
export const acceptTotpStep = (
  db: Database,
  owner: FactorOwner,
  { secret, step, now }: { secret: string; step: number; now: number },
) =>
  db
    .update(totpFactors)
    .set({ lastStep: step, lastUsedAt: now })
    .where(
      and(
        hasTotpKey(owner),
        eq(totpFactors.secret, secret),
        or(isNull(totpFactors.lastStep), lt(totpFactors.lastStep, step)),
      ),
    )
    .returning({ userId: totpFactors.userId })

/** Deletes a backup code. Of several concurrent requests, only the one that deleted it gets a row back. */
export const consumeBackupCode = (db: Database, owner: FactorOwner, digests: readonly string[]) =>
  db
    .delete(backupCodes)
    .where(and(isCodeOf(owner), inArray(backupCodes.digest, [...digests])))
    .returning({ userId: backupCodes.userId })

/** A new authenticator app; `secret` is sealed, and `now` is in epoch milliseconds. */
type NewTotp = { secret: string; step: number; now: number }

/** Adds an authenticator app, unless the user already has one. */
export const insertTotpIf = (db: Database, owner: FactorOwner, condition: Condition, totp: NewTotp) =>
  db.run(sql`${totpInsertion(owner, condition, totp)} on conflict (tenant_id, user_id) do nothing`)

/**
 * Replaces the user's authenticator app but keeps its creation time: replacing the app required two factors, so the new
 * app is as trustworthy as the old one (spec/accounts#reset-takes-back).
 */
export const replaceTotpIf = (db: Database, owner: FactorOwner, condition: Condition, totp: NewTotp) =>
  db.run(sql`${totpInsertion(owner, condition, totp)} on conflict (tenant_id, user_id) do update
    set secret = excluded.secret, last_step = excluded.last_step, last_used_at = null`)

const totpInsertion = (
  { tenantId, userId }: FactorOwner,
  condition: Condition,
  { secret, step, now }: NewTotp,
): SQL =>
  sql`insert into ${totpFactors} (tenant_id, user_id, secret, last_step, created_at)
    select ${tenantId}, ${userId}, ${secret}, ${step}, ${now} where ${condition}`

/** Replaces the user's backup codes. */
export const replaceBackupCodesIf = (
  db: Database,
  owner: FactorOwner,
  condition: Condition,
  { digests, now }: { digests: readonly string[]; now: number },
) => [
  deleteBackupCodesIf(db, owner, condition),
  db.run(sql`insert into ${backupCodes} (tenant_id, user_id, digest, created_at)
    select ${owner.tenantId}, ${owner.userId}, value, ${now} from json_each(${JSON.stringify(digests)})
    where ${condition}`),
]

export const deleteBackupCodesIf = (db: Database, owner: FactorOwner, condition: Condition) =>
  db.delete(backupCodes).where(and(isCodeOf(owner), condition))

export const deleteTotpIf = (db: Database, owner: FactorOwner, condition: Condition) =>
  db
    .delete(totpFactors)
    .where(and(hasTotpKey(owner), condition))
    .returning({ userId: totpFactors.userId })

/** Returns a row if the condition holds. Use it in batches whose other statements return no rows. */
export const conditionQuery = (db: Database, condition: Condition) =>
  db.all<{ isMet: number }>(sql`select 1 as isMet where ${condition}`)

/** Builds the JSON of a factor for a hook payload. */
export const factorJson = (kind: 'totp' | 'backupCode'): SQL => sql`json_object('kind', ${kind})`

export const anyBackupCodeQuery = (db: Database, tenantId: string) =>
  db
    .select({ digest: backupCodes.digest })
    .from(backupCodes)
    .where(eq(backupCodes.tenantId, tenantId))
    .limit(1)

export const hasTotp = (owner: FactorOwner): Condition =>
  sql`exists (select 1 from ${totpFactors} where ${hasTotpKey(owner)})`

/**
 * Checks that the user has no authenticator app except the one that this change writes, so the condition still holds in
 * later statements and in a repeated batch.
 */
export const hasNoOtherTotp = (owner: FactorOwner, sealed: string | null): Condition =>
  sql`not exists (select 1 from ${totpFactors} where ${hasTotpKey(owner)} and ${totpFactors.secret} is not ${sealed})`

/** Creates backup codes and their digests. The codes are shown once, and the digests are stored. */
export async function createBackupCodes(seals: Seals, tenantId: string) {
  const codes = Array.from({ length: BACKUP_CODE_COUNT }, () =>
    formatBackupCode(crypto.getRandomValues(new Uint8Array(BACKUP_CODE_LENGTH))),
  )
  const digests = await Promise.all(
    codes.map(async (code) => (await seals.digests(codeLabel(tenantId), parseBackupCode(code)))[0]),
  )
  return { codes, digests }
}

/**
 * Returns the digests of a backup code under the current and the previous root secret, or none if the text is not a
 * backup code.
 */
export async function digestBackupCode(
  seals: Seals,
  tenantId: string,
  typed: string,
): Promise<readonly string[]> {
  const code = parseBackupCode(typed)
  return code ? seals.digests(codeLabel(tenantId), code) : []
}

const hasTotpKey = ({ tenantId, userId }: FactorOwner) =>
  and(eq(totpFactors.tenantId, tenantId), eq(totpFactors.userId, userId))

const isCodeOf = ({ tenantId, userId }: FactorOwner) =>
  and(eq(backupCodes.tenantId, tenantId), eq(backupCodes.userId, userId))
