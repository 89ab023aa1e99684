/** Migrations of the local database. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fingerprint } from './fingerprint.mjs'
import { run } from './processes.mjs'
import { root } from './root.mjs'

const MINUTE = 60_000

/**
 * Applies what is new. Asking wrangler costs seconds even when nothing is, so the folder remembers what it has had.
 *
 * @param {string} persistTo the folder `wrangler dev` is given too
 * @returns {Promise<boolean>} whether the database is up to date
 */
export async function migrateLocalDatabase(persistTo) {
  const migrations = fingerprint(root, ['migrations', 'wrangler.toml'])
  const databases = path.join(persistTo, 'v3/d1') // beside the data, so that it goes when they go
  const stamp = path.join(databases, '.migrated-to')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === migrations) return true

  console.log('Applying migrations ...')
  rmSync(stamp, { force: true })
  const args = ['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', persistTo]
  const { code } = await run('wrangler', args, {
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
