/**
 * `npm run deploy [-- --host id.example.com] [arguments for wrangler deploy]` deploys the database and the Worker.
 *
 * Old code can run on a new schema, because migrations only add to it, but new code cannot run on an old schema. The
 * order is therefore: database, migrations, code. `wrangler deploy` only creates a missing database while it deploys
 * the code, and `wrangler d1 migrations apply` rejects a database that does not exist. On the first deployment, this
 * script therefore creates the database under its name in wrangler.toml, so that both commands find it. The KV
 * namespace has no schema, so wrangler creates it. If LIBSQL_URL is set in the environment, the migrations are applied
 * there instead.
 *
 * The first deployment writes `HOSTS` to wrangler.toml: the host from the command line, or the workers.dev host that
 * the deployment is assigned. Until then, the Worker serves no requests. The workers.dev host is turned off unless
 * `HOSTS` contains it. A `HOSTS` value that the Worker would reject is rejected before anything is written.
 *
 * If there is no administrator yet, the command finally prints an invitation link for the first one. For this, the
 * first deployment gives the Worker a random MANAGEMENT_CLIENT_SECRET; later deployments need that secret as
 * VESTIBULE_CLIENT_SECRET in the environment.
 */
import { parseArgs } from 'node:util'
import { unstable_readConfig } from 'wrangler'
import { alterationStateStatement } from './alteration-state.mjs'
import { buildIfStale } from './build.mjs'
import {
  captureHosts,
  findHostsProblem,
  planDeployment,
  resolveHosts,
  writeSettings,
} from './deployed-hosts.mjs'
import { createManagementSecret, showFirstAdministrator } from './first-administrator.mjs'
import { migrateLibsqlDatabase } from './libsql-database.mjs'
import { runProgram } from './processes.mjs'

/** @typedef {import('./deployed-hosts.mjs').Configuration & { configPath?: string, d1_databases: { binding: string, database_name?: string }[] }} Configuration */

const BINDING = 'DB'

/** With CI set, wrangler asks no questions and writes no resource ids into wrangler.toml. */
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
  /** The options that all wrangler commands accept. */
  const target = ['env', 'config', 'profile'].flatMap((name) =>
    values[name] ? [`--${name}`, `${values[name]}`] : [],
  )

  /** @type {Configuration} */
  const config = unstable_readConfig({ env: text(values.env), config: text(values.config) })
  // Do not treat `--host` without a value, or with the value of an empty variable, as a missing option: that would
  // deploy to workers.dev.
  const argument = values.host?.map((host) => text(host) ?? '').join(' ')
  const isDry = values['dry-run'] === true
  const hosting =
    isDry && argument === undefined
      ? null
      : await resolveHosts(config, { argument, target, env: ENVIRONMENT })
  const problem = hosting && findHostsProblem(hosting)
  if (problem) return fail(`${problem}\nWe didn't write or deploy anything.`)

  if (!(await buildIfStale())) return 1
  const { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: authToken } = process.env
  if (!isDry && url) {
    const failure = await migrateLibsqlDatabase({ url, authToken })
    if (failure) return fail(`${failure}\nWe didn't deploy the code.`)
  } else if (!isDry) {
    const name = config.d1_databases.find(({ binding }) => binding === BINDING)?.database_name
    if (!name)
      return fail(`wrangler.toml has no database_name for the binding ${BINDING}. Add one and deploy again.`)
    if (!(await prepareDatabase(name, target))) return 1
  }
  const rest = args.filter((arg, at) => !/^--host(?:=|$)/.test(arg) && args[at - 1] !== '--host')
  if (isDry) return wrangler(['deploy', ...rest])
  return deployWithHosts(hosting, { config, environment: text(values.env), rest, target })
}

/**
 * Deploys with the `HOSTS` that is already known. On the first deployment, uses the host that the deployment is
 * assigned.
 *
 * @param {import('./deployed-hosts.mjs').KnownHosts | null} hosting
 * @param {{ config: Configuration, environment: string | undefined, rest: string[], target: string[] }} how
 */
async function deployWithHosts(hosting, { config, environment, rest, target }) {
  const toml = config.configPath ?? ''
  const write = (/** @type {Parameters<typeof writeSettings>[2]} */ settings) => {
    const written = writeSettings(toml, environment, settings)
    if (written.length > 0)
      console.log(`We wrote this into ${toml}:\n  ${written.join('\n  ')}\nKeep this change.`)
  }
  if (hosting) {
    const { settings, unrouted, firstHost } = planDeployment(hosting, config)
    write(settings)
    if (hosting.source === 'argument' && unrouted.length > 0)
      console.log(`No route in ${toml} leads to ${unrouted.join(', ')}. See docs/guides/tenants.md.`)
    return deployWithInvitation(rest, { target, host: firstHost, isFirst: settings.hosts !== undefined })
  }
  const first = await captureHosts((env) => wrangler(['deploy', ...rest], env))
  if (first.code !== 0) return first.code
  if (first.hosts.length === 0)
    return fail(
      '\nThe Worker has no host yet, so it serves nothing. Deploy again with: npm run deploy -- --host id.example.com',
    )
  write({ hosts: first.hosts.join(' '), domains: [], workersDev: undefined })
  return deployWithInvitation(rest, { target, host: first.hosts[0], isFirst: true })
}

/**
 * Deploys, then prints how to invite the first administrator of the first host's tenant.
 *
 * @param {string[]} rest
 * @param {{ target: string[], host: string | undefined, isFirst: boolean }} where
 */
async function deployWithInvitation(rest, { target, host, isFirst }) {
  const secret = isFirst ? await createManagementSecret(target) : null
  const code = await wrangler(['deploy', ...rest, ...(secret ? ['--secrets-file', secret.file] : [])])
  secret?.removeFile()
  if (code === 0) await showFirstAdministrator({ host, isFirst, secret: secret?.value })
  return code
}

/**
 * Creates the database if it does not exist, then applies the migrations.
 *
 * @param {string} name @param {string[]} target
 */
async function prepareDatabase(name, target) {
  const list = await runProgram('wrangler', ['d1', 'list', '--json', ...target], {
    show: 'onFailure',
    env: ENVIRONMENT,
  })
  if (list.code !== 0) {
    fail(
      `\nWe couldn't list the databases of the Cloudflare account. Set CLOUDFLARE_API_TOKEN, or run "npx wrangler login".`,
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
  if ((await wrangler(['d1', 'migrations', 'apply', BINDING, '--remote', ...target])) !== 0) {
    fail("\nThe migrations failed, so we didn't deploy the code.")
    return false
  }
  const statement = ['--command', alterationStateStatement(Date.now())]
  const recorded = await runProgram(
    'wrangler',
    ['d1', 'execute', BINDING, '--remote', ...statement, ...target],
    {
      show: 'onFailure',
      env: ENVIRONMENT,
    },
  )
  if (recorded.code === 0) return true
  fail("\nWe couldn't record the migrations in the database, so we didn't deploy the code.")
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
