import { and, count, eq, type SQL, sql } from 'drizzle-orm'
import { DEFAULT_TENANT } from '../../contract/product.ts'
import { type Statement, sendBatch } from '../batches.ts'
import type { Database } from '../database.ts'
import type { SealLabel, Seals } from '../seal.ts'
import { applications, configs } from '../tables.ts'

/**
 * The secrets of applications, which are stored sealed (spec/storage#application-secrets). If `secret` contains a plain
 * value, it takes precedence: only an earlier version of the Worker writes that column, so the value is newer than the
 * sealed one.
 */

type StoredSecret = Pick<typeof applications.$inferSelect, 'tenantId' | 'id' | 'secret' | 'sealedSecret'>

/** Seals a secret. Sealing is asynchronous, so callers do it before they build the statement. */
export const sealSecret = (seals: Seals, { tenantId, id, secret }: Omit<StoredSecret, 'sealedSecret'>) =>
  seals.seal(applicationSecretLabel(tenantId, id), secret)

/** Decrypts the secret of a row, or returns an empty string if that is not possible (ADR-0061). */
export async function unsealSecret<R extends StoredSecret>(
  seals: Seals,
  { sealedSecret, ...row }: R,
): Promise<Omit<R, 'sealedSecret'>> {
  if (row.secret !== '' || sealedSecret === null) return row
  const opened = await seals.open(applicationSecretLabel(row.tenantId, row.id), sealedSecret)
  return { ...row, secret: typeof opened === 'string' ? opened : '' }
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
        .set({ sealedSecret, secret: '' })
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
