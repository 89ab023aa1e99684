import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { MAX_PASSKEYS, type Passkey } from '../../contract/passkeys/passkeys.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { jsonValue } from '../json-value.ts'
import { configs, passkeys, users } from '../tables.ts'
import { SETTINGS_KEY } from '../tenants/settings.ts'

/** The users' passkeys (spec/storage#passkeys). The functions return statements for the caller's batch. */
type Row = typeof passkeys.$inferSelect
export type NewPasskey = Omit<Row, 'tenantId' | 'lastUsedAt' | 'provenance'>
type PasskeyKey = { userId: string; id: string }

const columns = {
  id: passkeys.credentialId,
  name: passkeys.name,
  aaguid: passkeys.aaguid,
  rpId: passkeys.rpId,
  transports: passkeys.transports,
  isBackupEligible: passkeys.isBackupEligible,
  isBackedUp: passkeys.isBackedUp,
  createdAt: passkeys.createdAt,
  lastUsedAt: passkeys.lastUsedAt,
  isSecondFactor: passkeys.isSecondFactor,
} satisfies Record<keyof Passkey, unknown>

/** Selects the passkeys of a user, oldest first. */
export const passkeysQuery = (db: Database, tenantId: string, userId: string | SQL) =>
  db
    .select(columns)
    .from(passkeys)
    .where(isOfUser(tenantId, userId))
    .orderBy(asc(passkeys.createdAt))
    .limit(MAX_PASSKEYS)

/** The data for verifying a passkey's signature, and the passkey's owner. */
export type StoredPasskey = Pick<
  Row,
  | 'credentialId'
  | 'userId'
  | 'publicKey'
  | 'counter'
  | 'rpId'
  | 'isBackupEligible'
  | 'isSecondFactor'
  | 'provenance'
> & { isSuspended: boolean }

export const passkeyQuery = (db: Database, tenantId: string, credentialId: string) =>
  db
    .select({
      credentialId: passkeys.credentialId,
      userId: passkeys.userId,
      publicKey: passkeys.publicKey,
      counter: passkeys.counter,
      rpId: passkeys.rpId,
      isBackupEligible: passkeys.isBackupEligible,
      isSecondFactor: passkeys.isSecondFactor,
      provenance: passkeys.provenance,
      isSuspended: users.isSuspended,
    })
    .from(passkeys)
    .innerJoin(users, and(eq(users.tenantId, passkeys.tenantId), eq(users.id, passkeys.userId)))
    .where(and(eq(passkeys.tenantId, tenantId), eq(passkeys.credentialId, credentialId)))

/** Selects the given credentials that still exist. */
export const existingPasskeysQuery = (db: Database, tenantId: string, credentialIds: readonly string[]) =>
  db
    .select({ id: passkeys.credentialId, userId: passkeys.userId })
    .from(passkeys)
    .where(and(eq(passkeys.tenantId, tenantId), inArray(passkeys.credentialId, [...credentialIds])))

/**
 * Inserts a passkey if the condition holds, the user has fewer passkeys than allowed, the passkey's domain is still
 * that of the tenant, and no user has this credential. Otherwise, returns no row.
 */
export const insertPasskeyIf = (db: Database, tenantId: string, condition: Condition, row: NewPasskey) =>
  db
    .insert(passkeys)
    .select(
      // The values are in table order, because drizzle lists the columns of INSERT … SELECT in that order.
      sql`select ${tenantId}, ${row.credentialId}, ${row.userId}, ${row.publicKey}, ${row.counter},
        ${JSON.stringify(row.transports)}, ${row.aaguid}, ${row.name}, ${row.rpId}, ${Number(row.isBackupEligible)},
        ${Number(row.isBackedUp)}, ${row.createdAt}, null, null, ${Number(row.isSecondFactor)}
        where ${mayAdd(tenantId, row)} and ${condition}`,
    )
    .onConflictDoNothing()
    .returning(columns)

/**
 * Checks whether the passkey can be added. Used for the audit entry and the notice in the same batch, which come before
 * the passkey's row is written.
 */
export const mayAddPasskey = (tenantId: string, row: NewPasskey): Condition =>
  sql`(${mayAdd(tenantId, row)} and not exists (select 1 from ${passkeys} where ${eq(passkeys.tenantId, tenantId)}
    and ${eq(passkeys.credentialId, row.credentialId)}))`

const mayAdd = (tenantId: string, { userId, rpId }: NewPasskey): SQL =>
  sql`((select count(*) from ${passkeys} where ${isOfUser(tenantId, userId)}) < ${MAX_PASSKEYS}
    and ${isPasskeyDomain(tenantId, rpId)})`

/** Checks that this domain is the passkey domain of the tenant. */
export const isPasskeyDomain = (tenantId: string, rpId: string | SQL): Condition =>
  sql`exists (select 1 from ${configs} where ${eq(configs.tenantId, tenantId)} and ${eq(configs.key, SETTINGS_KEY)}
    and json_extract(${configs.value}, '$.passkeys.rpId') = ${rpId})`

/**
 * Checks that the passkey domain may be set: no passkeys exist, or all of them belong to the new domain
 * (spec/accounts#passkey-domain).
 */
export const mayUsePasskeyDomain = (tenantId: string, rpId: string | null): Condition =>
  sql`(not exists (select 1 from ${passkeys} where ${eq(passkeys.tenantId, tenantId)})
    or ${rpId === null ? sql`false` : isPasskeyDomain(tenantId, rpId)})`

type PasskeyUse = Pick<Row, 'counter' | 'isBackedUp' | 'isBackupEligible'> & { now: number }

/**
 * Records that a passkey was used. The signature counter never decreases, even if two uses are written out of order.
 * The first use of an imported passkey sets the flags that were unknown.
 */
export const recordPasskeyUse = (
  db: Database,
  tenantId: string,
  { userId, id }: PasskeyKey,
  { counter, isBackedUp, isBackupEligible, now, condition }: PasskeyUse & { condition: Condition },
) =>
  db
    .update(passkeys)
    .set({
      counter: sql`max(${passkeys.counter}, ${counter})`,
      isBackedUp,
      isBackupEligible,
      lastUsedAt: now,
      provenance: sql`iif(${passkeys.provenance} is null, null, 'imported')`,
    })
    .where(and(hasKey(tenantId, { userId, id }), condition))
    .returning({ id: passkeys.credentialId })

export const renamePasskey = (db: Database, tenantId: string, key: PasskeyKey, name: string) =>
  db.update(passkeys).set({ name }).where(hasKey(tenantId, key)).returning(columns)

export const removePasskeyIf = (db: Database, tenantId: string, key: PasskeyKey, condition: Condition) =>
  db
    .delete(passkeys)
    .where(and(hasKey(tenantId, key), condition))
    .returning({ id: passkeys.credentialId })

export const removeUserPasskeys = (db: Database, tenantId: string, userId: string) =>
  db.delete(passkeys).where(isOfUser(tenantId, userId))

export const passkeyExists = (tenantId: string, key: PasskeyKey): Condition =>
  sql`exists (select 1 from ${passkeys} where ${hasKey(tenantId, key)})`

/** Builds the JSON of a passkey that is not stored yet, for a hook payload. */
export const passkeyJson = (passkey: Passkey): SQL => sql`json(${JSON.stringify(passkey)})`

export const storedPasskeyJson = (tenantId: string, key: PasskeyKey): SQL =>
  sql`(select json_object(${sql.join(
    Object.entries(columns).map(([name, column]) => sql`${sql.raw(`'${name}'`)}, ${jsonValue(column)}`),
    sql`, `,
  )}) from ${passkeys} where ${hasKey(tenantId, key)})`

/** Checks whether the user has a passkey for signing in, other than `except` if it is set. */
export const hasPasskey = (tenantId: string, userId: string, except: string | null): Condition =>
  sql`exists (select 1 from ${passkeys} where ${and(
    isOfUser(tenantId, userId),
    eq(passkeys.isSecondFactor, false),
    except === null ? undefined : sql`${passkeys.credentialId} <> ${except}`,
  )})`

/** Checks that the user has at most this many passkeys, including security keys. */
export const hasAtMostPasskeys = (owner: { tenantId: string; userId: string }, max: number): Condition =>
  sql`(select count(*) from ${passkeys} where ${isOfUser(owner.tenantId, owner.userId)}) <= ${max}`

const isOfUser = (tenantId: string, userId: string | SQL) =>
  and(eq(passkeys.tenantId, tenantId), eq(passkeys.userId, userId))

const hasKey = (tenantId: string, { userId, id }: PasskeyKey) =>
  and(eq(passkeys.tenantId, tenantId), eq(passkeys.credentialId, id), eq(passkeys.userId, userId))
