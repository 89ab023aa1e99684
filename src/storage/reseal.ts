import { sql } from 'drizzle-orm'
import { applicationSecretLabel } from './applications/application-secrets.ts'
import { type Statement, sendBatch } from './batches.ts'
import { connectorLabel } from './connectors/connectors.ts'
import type { Database } from './database.ts'
import { totpLabel } from './factors/factors.ts'
import { hookHeadersLabel, hookSecretLabel } from './hooks/hooks.ts'
import { hasOldSealFormat, type Seals, signingKeysLabel } from './seal.ts'
import { storageProviderLabel } from './tenants/settings.ts'

/** The columns that contain sealed values, and the label of each value. */
const places = [
  {
    table: 'applications',
    value: sql.raw('sealed_secret'),
    put: (sealed: string) => sql`sealed_secret = ${sealed}`,
    label: applicationSecretLabel,
  },
  {
    table: 'applications',
    value: sql.raw('sealed_previous_secret'),
    put: (sealed: string) => sql`sealed_previous_secret = ${sealed}`,
    label: applicationSecretLabel,
  },
  {
    table: 'connectors',
    value: at('config', '$.sealed'),
    put: (sealed: string) => sql`config = json_set(config, '$.sealed', ${sealed})`,
    label: connectorLabel,
  },
  {
    table: 'hooks',
    value: sql.raw('secret'),
    put: (sealed: string) => sql`secret = ${sealed}`,
    label: hookSecretLabel,
  },
  {
    table: 'hooks',
    value: at('config', '$.sealedHeaders'),
    put: (sealed: string) => sql`config = json_set(config, '$.sealedHeaders', ${sealed})`,
    label: hookHeadersLabel,
  },
  {
    table: 'totp_factors',
    value: sql.raw('secret'),
    put: (sealed: string) => sql`secret = ${sealed}`,
    label: totpLabel,
  },
  {
    table: 'configs',
    value: at('value', '$.storageProvider.sealed'),
    put: (sealed: string) => sql`value = json_set(value, '$.storageProvider.sealed', ${sealed})`,
    label: storageProviderLabel,
  },
  {
    // Signing keys are also resealed when they are read, but a tenant may receive no requests.
    table: 'configs',
    value: at('value', '$.sealed'),
    put: (sealed: string) => sql`value = json_set(value, '$.sealed', ${sealed})`,
    label: signingKeysLabel,
  },
]

/** The id columns of tables whose rows are not identified by `id`. */
const idColumns: Readonly<Record<string, string>> = { configs: 'key', totp_factors: 'user_id' }

/** The number of rows that are read at a time, all of which must fit into memory. */
const ROWS = 100
/**
 * The number of rows after which a run stops, so that it ends before the next one begins. Each row takes one statement,
 * of which an invocation may send a thousand.
 */
const MAX_CHANGES = 200

/**
 * The progress of a run. `unreadable` is the number of values that neither secret can decrypt. Unless `isComplete`, the
 * next run continues.
 */
type ResealProgress = { resealed: number; unreadable: number; isComplete: boolean }

/**
 * Reseals values of all tenants that only the previous root secret can decrypt. Afterwards, an operator who has changed
 * ROOT_SECRET can remove the previous one (spec/storage#root-secret). Concurrent changes to a row take precedence.
 */
export async function resealSecrets(db: Database, seals: Seals): Promise<ResealProgress> {
  const total = { resealed: 0, unreadable: 0 }
  for (const { table, value, put, label } of places) {
    const from = sql.raw(table)
    const id = sql.raw(idColumns[table] ?? 'id')
    for (let after = 0; ; ) {
      const rows = await db.all<{ row: number; tenantId: string; id: string; sealed: string }>(
        sql`select rowid as "row", tenant_id as "tenantId", ${id} as "id", ${value} as "sealed" from ${from}
          where rowid > ${after} and ${value} is not null order by rowid limit ${ROWS}`,
      )
      const changes: Statement[] = []
      for (const { row, tenantId, id, sealed } of rows) {
        after = row
        if (!hasOldSealFormat(sealed) && (await seals.isCurrent(label(tenantId, id), sealed))) continue
        const opened = await seals.open(label(tenantId, id), sealed)
        if (opened === null) total.unreadable++
        else {
          const resealed = await seals.seal(label(tenantId, id), opened)
          changes.push(
            db.run(sql`update ${from} set ${put(resealed)} where rowid = ${row} and ${value} = ${sealed}`),
          )
        }
      }
      await sendBatch(db, changes)
      total.resealed += changes.length
      if (total.resealed >= MAX_CHANGES) return { ...total, isComplete: false }
      if (rows.length < ROWS) break
    }
  }
  return { ...total, isComplete: true }
}

function at(column: string, path: string) {
  return sql.raw(`json_extract(${column}, '${path}')`)
}
