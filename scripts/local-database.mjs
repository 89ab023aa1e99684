/** Migrates the local database. */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { computeFingerprint } from './fingerprint.mjs'
import { root } from './root.mjs'

/**
 * Applies new migrations. The runtime takes seconds to start even if there are none, so a stamp in the folder records
 * the last run.
 *
 * @param {string} persistTo the folder that `wrangler dev` also uses
 * @param {string} folder the folder of the migrations, relative to the root
 * @returns {Promise<boolean>} whether the database is up to date
 */
export async function migrateLocalDatabase(persistTo, folder = 'migrations') {
  const migrations = computeFingerprint(root, [folder, 'wrangler.toml'])
  const databases = path.join(persistTo, 'v3/d1') // stored beside the data, so that both are deleted together
  const stamp = path.join(databases, '.migrated-to')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === migrations) return true

  console.log('Applying migrations…')
  rmSync(stamp, { force: true })
  try {
    await applyMigrations(path.join(root, folder), path.join(persistTo, 'v3'))
  } catch (error) {
    console.error(`\nWe couldn't migrate the database in ${persistTo}: ${error}`)
    return false
  }
  mkdirSync(databases, { recursive: true })
  writeFileSync(stamp, migrations)
  return true
}

/**
 * Applies migrations and records them in the same way as `wrangler d1 migrations apply --local`, which would start the
 * runtime once per file.
 *
 * @param {string} folder the folder of the files
 * @param {string} state
 */
async function applyMigrations(folder, state) {
  const { getPlatformProxy, unstable_splitSqlQuery: statementsOf } = await import('wrangler')
  const { WRANGLER_LOG: level } = process.env
  process.env.WRANGLER_LOG = 'error' // without this, wrangler prints where it found secrets, which migrations do not use
  /** @type {import('wrangler').PlatformProxy<{ DB: import('@cloudflare/workers-types').D1Database }>} */
  const { env, dispose } = await getPlatformProxy({
    configPath: path.join(root, 'wrangler.toml'),
    persist: { path: state },
    remoteBindings: false,
  })
  if (level === undefined) delete process.env.WRANGLER_LOG
  else process.env.WRANGLER_LOG = level
  try {
    const { DB } = env
    await DB.prepare(MIGRATIONS_TABLE).run()
    const { results } = await DB.prepare('SELECT name FROM d1_migrations').all()
    const applied = new Set(results.map(({ name }) => name))
    for (const name of globSync('*.sql', { cwd: folder }).sort()) {
      if (applied.has(name)) continue
      const statements = statementsOf(readFileSync(path.join(folder, name), 'utf8'))
      const record = DB.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name)
      await DB.batch([...statements.map((sql) => DB.prepare(sql)), record])
    }
  } finally {
    await dispose()
  }
}

/** The table in which wrangler records migrations. */
const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`
