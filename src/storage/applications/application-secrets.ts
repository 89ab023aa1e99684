import { and, count, eq, type SQL, sql } from 'drizzle-orm'
import { DEFAULT_TENANT } from '../../contract/product.ts'
import { type Statement, sendBatch } from '../batches.ts'
import type { Database } from '../database.ts'
import type { Label, Seals } from '../seal.ts'
import { applications, configs } from '../tables.ts'

/**
 * Secrets of applications are sealed at rest (spec/storage#application-secrets). Whatever stands in `secret` is newer than
 * what is sealed: only an earlier version of the Worker writes it.
 */

type StoredSecret = Pick<typeof applications.$inferSelect, 'tenantId' | 'id' | 'secret' | 'sealedSecret'>

/** Called before the statement is built, which cannot wait for it. */
export const sealSecret = (seals: Seals, { tenantId, id, secret }: Omit<StoredSecret, 'sealedSecret'>) =>
  seals.seal(applicationSecretLabel(tenantId, id), secret)

/** The secret of a row, and the empty text for one that does not open (ADR-0061). */
export async function openSecret<R extends StoredSecret>(
  seals: Seals,
  { sealedSecret, ...row }: R,
): Promise<Omit<R, 'sealedSecret'>> {
  if (row.secret !== '' || sealedSecret === null) return row
  const opened = await seals.open(applicationSecretLabel(row.tenantId, row.id), sealedSecret)
  return { ...row, secret: typeof opened === 'string' ? opened : '' }
}

/** A secret opens in its own row alone. */
export const applicationSecretLabel = (tenantId: string, id: string): Label =>
  `application-secret/${tenantId}/${id}`

/** The column `secret` beside a sealed one: empty, unless the Worker of the earlier version may still serve. */
export const besideSealed = (secret: string): SQL<string> =>
  sql<string>`case when ${servesEarlierWorker} then ${secret} else '' end`

/** The migration that made room for sealed secrets has left this entry in a deployment that was in use. */
const servesEarlierWorker = sql`exists (select 1 from ${configs} where ${configs.tenantId} = ${DEFAULT_TENANT}
  and ${configs.key} = 'applicationSecrets' and json_extract(${configs.value}, '$.sealedFrom') > unixepoch() * 1000)`

const isUnsealed = sql`secret <> ''`

export const unsealedSecretsQuery = (db: Database, tenantId: string) =>
  db
    .select({ count: count() })
    .from(applications)
    .where(and(eq(applications.tenantId, tenantId), isUnsealed))

/** A statement for each stays far below the thousand of an invocation. */
const MAX_SEALED = 100

/** Seals secrets of all tenants that stand open, and answers how many. A change meanwhile wins; the next run continues. */
export async function sealOpenSecrets(db: Database, seals: Seals): Promise<number> {
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
