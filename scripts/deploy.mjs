/**
 * `npm run deploy [-- --host id.example.com] [other options]` deploys the database and the Worker.
 *
 * The configuration is `wrangler.toml` merged with the overlay `wrangler.local.toml`, or another one that `--overlay`
 * names (deployment-config.mjs). The command never changes `wrangler.toml`.
 *
 * The previous version can run on the new schema, because migrations remove nothing that it uses, but the new version
 * may need what they add. The order is therefore: database, migrations, code. A deployment always migrates the database of the live version, from
 * whichever clone it runs, and stops if Cloudflare does not say which one that is (live-worker.mjs). `wrangler deploy`
 * only creates a missing database while it deploys the code, and `wrangler d1 migrations apply` rejects a database that
 * does not exist, so this script creates the database on the first deployment. The KV namespace has no schema, so
 * wrangler creates it. If LIBSQL_URL is set in the environment, the migrations are applied there instead.
 *
 * The first deployment writes `HOSTS` to the overlay: the host from the command line, or the workers.dev host that the
 * deployment is assigned. Until then, the Worker serves no requests. The workers.dev host is turned off unless `HOSTS`
 * contains it. A `HOSTS` value that the Worker would reject is rejected before anything is written.
 *
 * If there is no administrator yet, the command finally prints an invitation link for the first one. For this, the
 * first deployment gives the Worker a random MANAGEMENT_CLIENT_SECRET; later deployments need that secret as
 * VESTIBULE_CLIENT_SECRET in the environment.
 */
import { existsSync } from 'node:fs'
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
import { findConfigFiles, writeMergedConfig } from './deployment-config.mjs'
import { createManagementSecret, showFirstAdministrator } from './first-administrator.mjs'
import { migrateLibsqlDatabase } from './libsql-database.mjs'
import { chooseDatabase, findRemovedBindings, readLiveBindings, usesLibsql } from './live-worker.mjs'
import { runProgram } from './processes.mjs'

/**
 * @typedef {import('./deployed-hosts.mjs').Configuration & { d1_databases: { binding: string, database_name?: string, database_id?: string }[] }} Configuration
 * @typedef {{ target: string[], environment: string | undefined, files: ReturnType<typeof findConfigFiles> }} Where `target`: the options that all wrangler commands accept
 */

const BINDING = 'DB'

const options = /** @type {const} */ ({
  host: { type: 'string', multiple: true },
  overlay: { type: 'string' },
  'allow-removal': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean' },
  // These are for wrangler.
  env: { type: 'string', short: 'e' },
  config: { type: 'string', short: 'c' },
  profile: { type: 'string' },
  name: { type: 'string' },
  outdir: { type: 'string' },
  tag: { type: 'string' },
  message: { type: 'string' },
})

/** The options that all wrangler commands accept. */
const wranglerOptions = /** @type {const} */ (['env', 'profile'])

const USAGE = `
Usage: npm run deploy -- [options]

  --host "HOSTS"       The hosts to serve, on the first deployment or to change them
  --overlay FILE       The settings of this deployment (default: wrangler.local.toml)
  --allow-removal      Remove variables and bindings that only the live version has
  --dry-run            Build without deploying
  --env, --config, --profile, --outdir, --tag, --message
                       As for "wrangler deploy"
  --help               Show this help
`

/** The options that this script passes to wrangler itself, or that wrangler does not know. */
const OWN_OPTIONS = ['host', 'config', 'overlay', 'env', 'profile', 'allow-removal']

/** With CI set, wrangler asks no questions and writes no resource ids into the configuration. */
const ENVIRONMENT = { CI: '1', WRANGLER_SEND_METRICS: 'false', NODE_ENV: 'production' }

/** @param {string[]} args */
export async function deployCommand(args) {
  const parsed = parse(args)
  if ('problem' in parsed) return fail(`${parsed.problem}\n${USAGE}`)
  const { values, tokens } = parsed
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const files = findConfigFiles({ config: values.config, overlay: values.overlay })
  // All of this command reads one configuration, which names the Worker.
  if (values.name !== undefined)
    return fail(`Set the name in ${files.overlay}, or in the overlay that --overlay names.`)
  if (values.overlay !== undefined && !existsSync(files.overlay))
    return fail(`The file ${files.overlay} doesn't exist.`)
  const environment = values.env
  const target = [
    `--config=${files.merged}`,
    ...wranglerOptions.flatMap((name) => (values[name] ? [`--${name}=${values[name]}`] : [])),
  ]
  const where = { target, environment, files }
  const { misplaced } = writeMergedConfig(files)
  if (misplaced.length > 0)
    console.log(
      `Move ${misplaced.join(', ')} from ${files.base} to ${files.overlay}, so that updates don't conflict with them.`,
    )

  const isDry = values['dry-run'] === true
  const live = isDry ? [] : await readLiveBindings(target, ENVIRONMENT)
  if (!live)
    return fail(
      `We couldn't read the live version of the Worker, so we don't know its database. Set CLOUDFLARE_API_TOKEN, or run "npx wrangler login".\nWe didn't write or deploy anything.`,
    )
  const removed = isDry ? [] : findRemovedBindings(live, readConfig(where))
  if (removed.length > 0 && values['allow-removal'] !== true)
    return fail(
      `The live version also has ${removed.join(', ')}. Add them to ${files.overlay}, or remove them with --allow-removal.\nWe didn't write or deploy anything.`,
    )
  // Do not treat `--host` with the value of an empty variable as a missing option: that would deploy to workers.dev.
  const argument = values.host?.join(' ')
  const hosting = isDry && argument === undefined ? null : resolveHosts(readConfig(where), { argument, live })
  const problem = hosting && findHostsProblem(hosting)
  if (problem) return fail(`${problem}\nWe didn't write or deploy anything.`)

  if (!(await buildIfStale())) return 1
  const { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: authToken } = process.env
  if (!isDry && url && !usesLibsql(live) && live.some(isDatabase))
    return fail(
      `LIBSQL_URL is set, but the live version uses D1. Unset it, or set the secrets LIBSQL_URL and LIBSQL_AUTH_TOKEN of the Worker first.\nWe didn't deploy anything.`,
    )
  if (!isDry && url) {
    const failure = await migrateLibsqlDatabase({ url, authToken })
    if (failure) return fail(`${failure}\nWe didn't deploy the code.`)
  } else if (!isDry && !(await prepareDatabase(live, where))) return 1
  const ownArguments = new Set(
    tokens.flatMap((token) =>
      token.kind === 'option' && OWN_OPTIONS.includes(token.name)
        ? [token.index, ...(token.value !== undefined && !token.inlineValue ? [token.index + 1] : [])]
        : [],
    ),
  )
  const rest = [...args.filter((_, index) => !ownArguments.has(index)), ...target]
  if (isDry) return wrangler(['deploy', ...rest])
  return deployWithHosts(hosting, rest, where)
}

/**
 * Parses the command line. An unknown option is a problem: a misspelt `--dry-run` must not deploy.
 *
 * @param {string[]} args
 */
function parse(args) {
  try {
    return parseArgs({ args, tokens: true, options })
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/** @param {Where} where @returns {Configuration} */
const readConfig = ({ environment, files }) => unstable_readConfig({ config: files.merged, env: environment })

/**
 * Deploys with the `HOSTS` that is already known. On the first deployment, uses the host that the deployment is
 * assigned.
 *
 * @param {import('./deployed-hosts.mjs').KnownHosts | null} hosting
 * @param {string[]} rest
 * @param {Where} where
 */
async function deployWithHosts(hosting, rest, where) {
  const { target, environment, files } = where
  const write = (/** @type {Parameters<typeof writeSettings>[2]} */ settings) => {
    const written = writeSettings(files.overlay, environment, settings)
    if (written.length === 0) return
    console.log(`We wrote this into ${files.overlay}:\n  ${written.join('\n  ')}\nKeep this file.`)
    pinDatabase(readConfig(where).d1_databases.find(isDatabase)?.database_id, where)
  }
  if (hosting) {
    const { settings, unrouted, firstHost } = planDeployment(hosting, readConfig(where))
    write(settings)
    if (hosting.source === 'argument' && unrouted.length > 0)
      console.log(`No route leads to ${unrouted.join(', ')}. See docs/guides/tenants.md.`)
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

/** @param {{ binding?: string, name?: string, type?: string }} each */
const isDatabase = ({ binding, name, type }) => binding === BINDING || (name === BINDING && type === 'd1')

/**
 * Writes the configuration again, with the id of the database.
 *
 * @param {string | undefined} id @param {Where} where
 */
function pinDatabase(id, { environment, files }) {
  const database = id ? { d1_databases: [{ binding: BINDING, database_id: id }] } : {}
  writeMergedConfig(files, environment ? { env: { [environment]: database } } : database)
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
 * Finds or creates the database, then applies the migrations.
 *
 * @param {import('./live-worker.mjs').Binding[]} live the bindings of the live version
 * @param {Where} where
 */
async function prepareDatabase(live, where) {
  const { target } = where
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
  const database = chooseDatabase({
    live,
    databases: JSON.parse(list.stdout),
    configured: readConfig(where).d1_databases.find(isDatabase),
    binding: BINDING,
  })
  if ('problem' in database) {
    fail(`${database.problem}\nWe didn't deploy anything.`)
    return false
  }
  if ('create' in database) {
    const created = await runProgram('wrangler', ['d1', 'create', database.create, ...target], {
      show: 'onFailure',
      env: ENVIRONMENT,
    })
    if (created.code !== 0) return false
    console.log(`Created the database "${database.create}".`)
    pinDatabase(/database_id"?\s*[:=]\s*"([^"]+)"/.exec(created.stdout)?.[1], where)
  } else pinDatabase(database.id, where)
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

/** @param {string} problem */
function fail(problem) {
  console.error(problem)
  return 1
}
