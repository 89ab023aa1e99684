import { and, count, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import {
  BACKUP_CODE_BYTES,
  BACKUP_CODES,
  formatBackupCode,
  readBackupCode,
} from '../../domain/factors/backup-codes.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import type { Label, Seals } from '../seal.ts'
import { backupCodes, passkeys, secondFactorDeferrals, totpFactors, users } from '../tables.ts'
import { isAnyOf, type UserLookup } from '../users/users.ts'

/** The second factors of users (spec/accounts#second-factors). */

export type FactorOwner = { tenantId: string; userId: string }

export const totpLabel = (tenantId: string, userId: string): Label => `totp/${tenantId}/${userId}`

/** Without the user: codes are random, and the account of a registration has no id before its submit. */
const codeLabel = (tenantId: string): Label => `backup-code/${tenantId}`

type CountedTable = typeof totpFactors | typeof backupCodes | typeof passkeys | typeof secondFactorDeferrals

/** What each of the accounts that any lookup names has of second factors. */
export function holdingsQuery(db: Database, tenantId: string, lookups: readonly UserLookup[]) {
  // With the name of the table: drizzle leaves it out in a query of one table.
  const countOf = (table: CountedTable) =>
    sql<number>`(select count(*) from ${table} as held
      where held.tenant_id = users.tenant_id and held.user_id = users.id)`
  return db
    .select({
      userId: users.id,
      totp: countOf(totpFactors).mapWith(Boolean).as('totp'),
      backupCodes: countOf(backupCodes).as('backup_codes'),
      passkeys: countOf(passkeys).as('passkeys'),
      deferrals: countOf(secondFactorDeferrals).as('deferrals'),
    })
    .from(users)
    .where(isAnyOf(tenantId, lookups))
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
 * The first use of a step's code answers a row, every other one none: also of twenty at the same time. The secret is the
 * one that the code was compared with.
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

/** Answers a row for the one request that uses the code. */
export const consumeBackupCode = (db: Database, owner: FactorOwner, digests: readonly string[]) =>
  db
    .delete(backupCodes)
    .where(and(isCodeOf(owner), inArray(backupCodes.digest, [...digests])))
    .returning({ userId: backupCodes.userId })

/** `secret` is sealed, `now` in epoch milliseconds. */
type NewTotp = { secret: string; step: number; now: number }

/** Where the user has an authenticator app already, nothing is written. */
export const insertTotpIf = (db: Database, owner: FactorOwner, condition: Condition, totp: NewTotp) =>
  db.run(sql`${totpInsertion(owner, condition, totp)} on conflict (tenant_id, user_id) do nothing`)

/**
 * Takes the place of the app that the user has, and is as old as that: it took two factors to replace it, so it is as much the
 * owner's (spec/accounts#reset-takes-back).
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

/** In place of the codes that the user has. */
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

/** Answers a row where the condition holds: in a batch whose other statements answer none. */
export const isAllowed = (db: Database, condition: Condition) =>
  db.all<{ isAllowed: number }>(sql`select 1 as is_allowed where ${condition}`)

/** For the message to a hook. */
export const factorJson = (kind: 'totp' | 'backupCode'): SQL => sql`json_object('kind', ${kind})`

export const anyBackupCodeQuery = (db: Database, tenantId: string) =>
  db
    .select({ digest: backupCodes.digest })
    .from(backupCodes)
    .where(eq(backupCodes.tenantId, tenantId))
    .limit(1)

export const hasTotp = (owner: FactorOwner): Condition =>
  sql`exists (select 1 from ${totpFactors} where ${hasTotpKey(owner)})`

/** No authenticator app but the one that this change writes, which its later statements and a repetition see. */
export const hasNoOtherTotp = (owner: FactorOwner, sealed: string | null): Condition =>
  sql`not exists (select 1 from ${totpFactors} where ${hasTotpKey(owner)} and ${totpFactors.secret} is not ${sealed})`

/** Codes to show once, and what the database knows of them. */
export async function newBackupCodes(seals: Seals, tenantId: string) {
  const codes = Array.from({ length: BACKUP_CODES }, () =>
    formatBackupCode(crypto.getRandomValues(new Uint8Array(BACKUP_CODE_BYTES))),
  )
  const digests = await Promise.all(
    codes.map(async (code) => (await seals.digests(codeLabel(tenantId), readBackupCode(code)))[0]),
  )
  return { codes, digests }
}

/** Under the present root secret and the one before; none for what is no code. */
export async function backupCodeDigests(
  seals: Seals,
  tenantId: string,
  typed: string,
): Promise<readonly string[]> {
  const code = readBackupCode(typed)
  return code ? seals.digests(codeLabel(tenantId), code) : []
}

const hasTotpKey = ({ tenantId, userId }: FactorOwner) =>
  and(eq(totpFactors.tenantId, tenantId), eq(totpFactors.userId, userId))

const isCodeOf = ({ tenantId, userId }: FactorOwner) =>
  and(eq(backupCodes.tenantId, tenantId), eq(backupCodes.userId, userId))
