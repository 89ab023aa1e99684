/**
 * `npm run deploy [-- arguments for wrangler deploy]`.
 *
 * Old code may run on a new schema (migrations only add), new code never on an old one. So the order is: database,
 * migrations, code. `wrangler deploy` would create a missing database itself, but only together with putting the code in
 * front of it, and `wrangler d1 migrations apply` refuses a database that does not exist; hence on the first deploy we
 * create it, under the name in wrangler.toml, by which both wrangler commands find it. The KV namespace has no schema:
 * wrangler provisions it while deploying. With LIBSQL_URL in the environment the migrations go there instead.
 */
import { parseArgs } from 'node:util'
import { unstable_readConfig } from 'wrangler'
import { build } from './build.mjs'
import { migrateLibsqlDatabase } from './libsql-database.mjs'
import { run } from './processes.mjs'

const BINDING = 'DB'

/** CI: wrangler asks nothing and writes no ids into wrangler.toml. */
const ENVIRONMENT = { CI: '1', WRANGLER_SEND_METRICS: 'false', NODE_ENV: 'production' }

/** @param {string[]} args */
export async function deploy(args) {
  const { values } = parseArgs({
    args,
    strict: false,
    options: {
      env: { type: 'string', short: 'e' },
      config: { type: 'string', short: 'c' },
      profile: { type: 'string' },
      'dry-run': { type: 'boolean' },
    },
  })
  /** What every wrangler command has to agree on. */
  const target = ['env', 'config', 'profile'].flatMap((name) =>
    values[name] ? [`--${name}`, `${values[name]}`] : [],
  )

  if (!(await build())) return 1
  const { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: authToken } = process.env
  if (!values['dry-run'] && url) {
    const problem = await migrateLibsqlDatabase({ url, authToken })
    if (problem) return fail(`${problem}\nThe code was not deployed.`)
  } else if (!values['dry-run']) {
    /** @type {{ d1_databases: { binding: string, database_name?: string }[] }} */
    const { d1_databases } = unstable_readConfig({ env: text(values.env), config: text(values.config) })
    const name = d1_databases.find(({ binding }) => binding === BINDING)?.database_name
    if (!name) return fail(`wrangler.toml has no database_name for the binding ${BINDING}.`)
    if (!(await databaseReady(name, target))) return 1
  }
  return wrangler(['deploy', '--minify', ...args])
}

/** Created and migrated. @param {string} name @param {string[]} target */
async function databaseReady(name, target) {
  const list = await run('wrangler', ['d1', 'list', '--json', ...target], {
    show: 'onFailure',
    env: ENVIRONMENT,
  })
  if (list.code !== 0) {
    fail(
      '\nCloudflare could not be asked for its databases. Set CLOUDFLARE_API_TOKEN, or run "npx wrangler login".',
    )
    return false
  }
  /** @type {{ name: string }[]} */
  const databases = JSON.parse(list.stdout)
  if (!databases.some((database) => database.name === name)) {
    const created = await run('wrangler', ['d1', 'create', name, ...target], {
      show: 'onFailure',
      env: ENVIRONMENT,
    })
    if (created.code !== 0) return false
    console.log(`Created the database "${name}".`)
  }
  if ((await wrangler(['d1', 'migrations', 'apply', BINDING, '--remote', ...target])) === 0) return true
  fail('\nThe migrations failed, so the code was not deployed.')
  return false
}

/** @param {string[]} args */
async function wrangler(args) {
  return (await run('wrangler', args, { env: ENVIRONMENT })).code
}

/** @param {unknown} value */
const text = (value) => (typeof value === 'string' ? value : undefined)

/** @param {string} problem */
function fail(problem) {
  console.error(problem)
  return 1
}
