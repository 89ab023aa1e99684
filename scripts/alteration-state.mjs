import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './root.mjs'

/**
 * The statement that records the newest migration in the configuration entry `alterationState`
 * (spec/storage#system-configuration). It runs after the migrations. If the entry already has this migration or, after
 * a rollback, a newer one, the statement changes nothing, so that `updatedAt` stays the time of the last alteration. An
 * entry that cannot be read is replaced.
 *
 * @param {number} now in epoch milliseconds
 * @param {string} folder the folder of the migrations, relative to the root
 */
export function alterationStateStatement(now, folder = 'migrations') {
  /** @type {{ entries: { when: number }[] }} */
  const { entries } = JSON.parse(readFileSync(path.join(root, folder, 'meta/_journal.json'), 'utf8'))
  const value = JSON.stringify({ timestamp: entries.at(-1)?.when ?? 0, updatedAt: now })
  const stored = `json_extract(configs.value, '$.timestamp')`
  const isNewer = `json_type(configs.value, '$.timestamp') NOT IN ('integer', 'real') OR ${stored} < json_extract(excluded.value, '$.timestamp')`
  // Without CASE, SQLite could evaluate the functions before it knows that the value is JSON.
  const condition = `CASE WHEN json_valid(configs.value) THEN coalesce(${isNewer}, 1) ELSE 1 END`
  return `INSERT INTO configs (tenant_id, key, value) VALUES ('default', 'alterationState', '${value}') ON CONFLICT (tenant_id, key) DO UPDATE SET value = excluded.value WHERE ${condition}`
}
