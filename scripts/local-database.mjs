/** Migrations of the local database. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fingerprintOf } from './fingerprint.mjs'
import { runProgram } from './processes.mjs'
import { root } from './root.mjs'

const MINUTE = 60_000

/**
 * Applies new migrations. wrangler takes seconds even when there are none, so a stamp in the folder records the last run.
 *
 * @param {string} persistTo the folder that `wrangler dev` uses too
 * @returns {Promise<boolean>} whether the database is up to date
 */
export async function migrateLocalDatabase(persistTo) {
  const migrations = fingerprintOf(root, ['migrations', 'wrangler.toml'])
  const databases = path.join(persistTo, 'v3/d1') // beside the data, so that it is deleted with them
  const stamp = path.join(databases, '.migrated-to')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === migrations) return true

  console.log('Applying migrations ...')
  rmSync(stamp, { force: true })
  const args = ['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', persistTo]
  const { code } = await runProgram('wrangler', args, {
    show: 'onFailure',
    timeLimit: 2 * MINUTE,
    env: { CI: '1', WRANGLER_SEND_METRICS: 'false' }, // CI: no question before applying
  })
  if (code !== 0) {
    console.error(`\nThe migrations of the database in ${persistTo} failed.`)
    return false
  }
  mkdirSync(databases, { recursive: true })
  writeFileSync(stamp, migrations)
  return true
}
