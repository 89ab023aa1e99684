/**
 * `npm run deploy [-- --host id.example.com] [arguments for wrangler deploy]`.
 *
 * Old code may run on a new schema, because migrations only add; new code must not run on an old one. So the order is:
 * database, migrations, code. `wrangler deploy` creates a missing database only together with the deployment of the code, and
 * `wrangler d1 migrations apply` refuses a database that does not exist. So this script creates it on the first deployment,
 * under the name in wrangler.toml, by which both commands find it. The KV namespace has no schema; wrangler provisions it.
 * With LIBSQL_URL in the environment the migrations go there instead.
 *
 * A first deployment writes `HOSTS` into wrangler.toml: the address it is given, or the one of workers.dev that it gets. Until
 * then the Worker answers nothing. The address of workers.dev is switched off unless `HOSTS` names it. A `HOSTS` that the Worker
 * would refuse is refused before anything is written.
 *
 * It ends with the link of the first administrator, where there is none: a first deployment gives the Worker a random
 * MANAGEMENT_CLIENT_SECRET for it, a later one needs the secret as VESTIBULE_CLIENT_SECRET in the environment.
 */
import { parseArgs } from 'node:util'
import { unstable_readConfig } from 'wrangler'
import { buildIfStale } from './build.mjs'
import { deploymentOf, knownHosts, problemOf, withTargets, writeSettings } from './deployed-hosts.mjs'
import { newManagementSecret, showFirstAdministrator } from './first-administrator.mjs'
import { migrateLibsqlDatabase } from './libsql-database.mjs'
import { runProgram } from './processes.mjs'

/** @typedef {import('./deployed-hosts.mjs').Configuration & { configPath?: string, d1_databases: { binding: string, database_name?: string }[] }} Configuration */

const BINDING = 'DB'

/** With CI set, wrangler asks no questions and writes no ids into wrangler.toml. */
const ENVIRONMENT = { CI: '1', WRANGLER_SEND_METRICS: 'false', NODE_ENV: 'production' }

/** @param {string[]} args */
export async function deployCommand(args) {
  const { values } = parseArgs({
    args,
    strict: false,
    options: {
      env: { type: 'string', short: 'e' },
      config: { type: 'string', short: 'c' },
      profile: { type: 'string' },
      host: { type: 'string', multiple: true },
      'dry-run': { type: 'boolean' },
    },
  })
  /** Options that all wrangler commands share. */
  const target = ['env', 'config', 'profile'].flatMap((name) =>
    values[name] ? [`--${name}`, `${values[name]}`] : [],
  )

  /** @type {Configuration} */
  const config = unstable_readConfig({ env: text(values.env), config: text(values.config) })
  // `--host` without a value, or with that of an empty variable, names no host: it must not deploy to workers.dev.
  const argument = values.host?.map((host) => text(host) ?? '').join(' ')
  const isDry = values['dry-run'] === true
  const hosting =
    isDry && argument === undefined ? null : await knownHosts(config, { argument, target, env: ENVIRONMENT })
  const wrong = hosting && problemOf(hosting)
  if (wrong) return fail(`${wrong}\nNothing was written and nothing deployed.`)

  if (!(await buildIfStale())) return 1
  const { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: authToken } = process.env
  if (!isDry && url) {
    const problem = await migrateLibsqlDatabase({ url, authToken })
    if (problem) return fail(`${problem}\nThe code was not deployed.`)
  } else if (!isDry) {
    const name = config.d1_databases.find(({ binding }) => binding === BINDING)?.database_name
    if (!name)
      return fail(`The configuration in wrangler.toml has no database_name for the binding ${BINDING}.`)
    if (!(await databaseReady(name, target))) return 1
  }
  const rest = args.filter((arg, at) => !/^--host(?:=|$)/.test(arg) && args[at - 1] !== '--host')
  if (isDry) return wrangler(['deploy', ...rest])
  return deployAt(hosting, { config, environment: text(values.env), rest, target })
}

/**
 * Deploys with `HOSTS`, which is the address that it gets where none is known.
 *
 * @param {import('./deployed-hosts.mjs').KnownHosts | null} hosting
 * @param {{ config: Configuration, environment: string | undefined, rest: string[], target: string[] }} how
 */
async function deployAt(hosting, { config, environment, rest, target }) {
  const toml = config.configPath ?? ''
  const write = (/** @type {Parameters<typeof writeSettings>[2]} */ settings) => {
    const written = writeSettings(toml, environment, settings)
    if (written.length > 0) console.log(`Written into ${toml}:\n  ${written.join('\n  ')}\nKeep this change.`)
  }
  if (hosting) {
    const { settings, unrouted, firstHost } = deploymentOf(hosting, config)
    write(settings)
    if (hosting.source === 'argument' && unrouted.length > 0)
      console.log(`Nothing in ${toml} leads to ${unrouted.join(', ')}: see docs/guides/tenants.md.`)
    return deployed(rest, { target, host: firstHost, isFirst: settings.hosts !== undefined })
  }
  const first = await withTargets((env) => wrangler(['deploy', ...rest], env))
  if (first.code !== 0) return first.code
  if (first.hosts.length === 0)
    return fail(
      '\nThe Worker has no address yet and answers nothing. Deploy again with: npm run deploy -- --host id.example.com',
    )
  write({ hosts: first.hosts.join(' '), domains: [], workersDev: undefined })
  return deployed(rest, { target, host: first.hosts[0], isFirst: true })
}

/**
 * Deploys, and then shows how the tenant of the first host gets its first administrator.
 *
 * @param {string[]} rest
 * @param {{ target: string[], host: string | undefined, isFirst: boolean }} where
 */
async function deployed(rest, { target, host, isFirst }) {
  const secret = isFirst ? await newManagementSecret(target) : null
  const code = await wrangler(['deploy', ...rest, ...(secret ? ['--secrets-file', secret.file] : [])])
  secret?.removeFile()
  if (code === 0) await showFirstAdministrator({ host, isFirst, secret: secret?.value })
  return code
}

/** Creates the database if it is missing, and migrates it. @param {string} name @param {string[]} target */
async function databaseReady(name, target) {
  const list = await runProgram('wrangler', ['d1', 'list', '--json', ...target], {
    show: 'onFailure',
    env: ENVIRONMENT,
  })
  if (list.code !== 0) {
    fail(
      '\nThe databases of the Cloudflare account could not be listed. Set CLOUDFLARE_API_TOKEN, or run "npx wrangler login".',
    )
    return false
  }
  /** @type {{ name: string }[]} */
  const databases = JSON.parse(list.stdout)
  if (!databases.some((database) => database.name === name)) {
    const created = await runProgram('wrangler', ['d1', 'create', name, ...target], {
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

/** @param {string[]} args @param {Record<string, string>} [env] */
async function wrangler(args, env = {}) {
  return (await runProgram('wrangler', args, { env: { ...ENVIRONMENT, ...env } })).code
}

/** @param {unknown} value */
const text = (value) => (typeof value === 'string' ? value : undefined)

/** @param {string} problem */
function fail(problem) {
  console.error(problem)
  return 1
}
