import { sql } from 'drizzle-orm'
import { applicationSecretLabel } from './applications/application-secrets.ts'
import { type Statement, sendBatch } from './batches.ts'
import { connectorLabel } from './connectors/connectors.ts'
import type { Database } from './database.ts'
import { totpLabel } from './factors/factors.ts'
import { headersLabel, hookSecretLabel } from './hooks/hooks.ts'
import { isOldFormat, type Seals, signingKeysLabel } from './seal.ts'
import { storageProviderLabel } from './tenants/settings.ts'

/** The places where the database holds sealed values, and the label of each. */
const places = [
  {
    table: 'applications',
    value: sql.raw('sealed_secret'),
    put: (sealed: string) => sql`sealed_secret = ${sealed}`,
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
    label: headersLabel,
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
    // Reading signing keys reseals them as well, but a tenant may have no requests.
    table: 'configs',
    value: at('value', '$.sealed'),
    put: (sealed: string) => sql`value = json_set(value, '$.sealed', ${sealed})`,
    label: signingKeysLabel,
  },
]

/** The id columns of tables whose rows are not identified by `id`. */
const idColumns: Readonly<Record<string, string>> = { configs: 'key', totp_factors: 'user_id' }

/**
 * With one statement per row, these stay below the thousand that an invocation may send, and the rows fit into its
 * memory.
 */
const ROWS = 100
/** Writing takes time, and a run must end before the next one begins. */
const MAX_CHANGES = 200

/** `unreadable` counts values that neither secret opens. Unless `isComplete`, the next run continues. */
type ResealProgress = { resealed: number; unreadable: number; isComplete: boolean }

/**
 * Reseals values of all tenants that only the previous secret opens, after ROOT_SECRET was changed, so that the
 * previous one can be removed (spec/storage#root-secret). A concurrent change of a row wins.
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
        if (!isOldFormat(sealed) && (await seals.isCurrent(label(tenantId, id), sealed))) continue
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
