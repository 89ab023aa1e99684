import { and, count, eq, type SQL, sql } from 'drizzle-orm'
import { DEFAULT_TENANT } from '../../contract/product.ts'
import { type Statement, sendBatch } from '../batches.ts'
import type { Database } from '../database.ts'
import { logFailure } from '../event-log.ts'
import { type SealLabel, type Seals, UnreadableSeal } from '../seal.ts'
import { applications, configs } from '../tables.ts'

/**
 * The secrets of applications, which are stored sealed (spec/storage#application-secrets). If `secret` contains a plain
 * value, it takes precedence: only an earlier version of the Worker writes that column, so the value is newer than the
 * sealed one.
 */

type StoredApplication = typeof applications.$inferSelect
type SecretKey = Pick<StoredApplication, 'tenantId' | 'id'>
type HiddenColumn =
  | 'sealedSecret'
  | 'sealedPreviousSecret'
  | 'previousSecretCreatedAt'
  | 'previousSecretExpiresAt'
/** An application with its secret in plain text, and without the value of the previous one. */
export type UnsealedApplication = Omit<StoredApplication, HiddenColumn> & {
  previousSecret: { createdAt: number | null; expiresAt: number } | null
}

/** Seals a secret. Sealing is asynchronous, so callers do it before they build the statement. */
export const sealSecret = (seals: Seals, { tenantId, id, secret }: SecretKey & { secret: string }) =>
  seals.seal(applicationSecretLabel(tenantId, id), secret)

/** Decrypts the secret of a row, or returns an empty string if that is not possible (ADR-0061). */
export async function unsealSecret(
  seals: Seals,
  {
    sealedSecret,
    sealedPreviousSecret: _sealed,
    previousSecretCreatedAt: createdAt,
    previousSecretExpiresAt: expiresAt,
    ...row
  }: StoredApplication,
): Promise<UnsealedApplication> {
  const secret = row.secret || (await unseal(seals, row, sealedSecret)) || ''
  const previousSecret = hasPlainSecret(row) || expiresAt === null ? null : { createdAt, expiresAt }
  return { ...row, secret, previousSecret }
}

/**
 * Decrypts the previous secret of a row, or returns null if there is none. It may have expired. A secret that cannot be
 * decrypted is logged.
 */
export async function unsealPreviousSecret(seals: Seals, row: StoredApplication): Promise<string | null> {
  const { tenantId, id, sealedPreviousSecret: sealed } = row
  if (hasPlainSecret(row) || sealed === null) return null
  const secret = await unseal(seals, row, sealed)
  if (secret === null)
    logFailure(new UnreadableSeal(`The previous secret of application ${id}`, sealed), { tenantId })
  return secret
}

/**
 * Checks whether an earlier version of the Worker, or a promotion, has set the secret. It is the only one then, even if
 * the row still has a previous secret.
 */
const hasPlainSecret = ({ secret }: { secret: string }): boolean => secret !== ''

async function unseal(
  seals: Seals,
  { tenantId, id }: SecretKey,
  sealed: string | null,
): Promise<string | null> {
  const opened = sealed === null ? null : await seals.open(applicationSecretLabel(tenantId, id), sealed)
  return typeof opened === 'string' ? opened : null
}

/** Returns the label that binds a secret to its row, so that it cannot be decrypted in any other row. */
export const applicationSecretLabel = (tenantId: string, id: string): SealLabel =>
  `application-secret/${tenantId}/${id}`

/**
 * Returns the value of the column `secret` for a row that also has the sealed secret: the plain secret while an earlier
 * version of the Worker may still run, or else an empty string.
 */
export const plainSecretColumn = (secret: string): SQL<string> =>
  sql<string>`case when ${servesEarlierWorker} then ${secret} else '' end`

/** Checks for the entry that a migration added to deployments that were in use when sealed secrets were introduced. */
const servesEarlierWorker = sql`exists (select 1 from ${configs} where ${configs.tenantId} = ${DEFAULT_TENANT}
  and ${configs.key} = 'applicationSecrets' and json_extract(${configs.value}, '$.sealedFrom') > unixepoch() * 1000)`

/** The values of a row without a previous secret. */
export const noPreviousSecret = {
  sealedPreviousSecret: null,
  previousSecretCreatedAt: null,
  previousSecretExpiresAt: null,
}

const isUnsealed = sql`secret <> ''`

export const unsealedSecretsQuery = (db: Database, tenantId: string) =>
  db
    .select({ count: count() })
    .from(applications)
    .where(and(eq(applications.tenantId, tenantId), isUnsealed))

/** The number of secrets per run. Each one takes one statement, of which an invocation may send a thousand. */
const MAX_SEALED = 100

/**
 * Seals plain-text secrets of all tenants and returns how many were sealed. A concurrent change takes precedence, and
 * the next run continues.
 */
export async function sealPlainSecrets(db: Database, seals: Seals): Promise<number> {
  const open = await db
    .select({ tenantId: applications.tenantId, id: applications.id, secret: applications.secret })
    .from(applications)
    .where(and(isUnsealed, sql`not ${servesEarlierWorker}`))
    .limit(MAX_SEALED)
  const changes: Statement[] = []
  for (const row of open) {
    const sealedSecret = await sealSecret(seals, row)
    changes.push(
      db
        .update(applications)
        .set({ sealedSecret, secret: '', ...noPreviousSecret })
        .where(
          and(
            eq(applications.tenantId, row.tenantId),
            eq(applications.id, row.id),
            eq(applications.secret, row.secret),
          ),
        ),
    )
  }
  await sendBatch(db, changes)
  return changes.length
}
