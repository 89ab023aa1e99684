/**
 * The `HOSTS` setting of a deployment (docs/operations/configuration.md). Outside development, a Worker without it only
 * responds with 503. It lives in the overlay of the deployment, where `npm run deploy` writes it the first time.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { consolesWithoutTenantHost, parseHosts } from '../src/contract/tenants/hosts.ts'
import { liveVariable, readReports } from './live-worker.mjs'

/**
 * @typedef {{ hosts: string, source: 'configuration' | 'argument' | 'routes' | 'deployment' }} KnownHosts
 * @typedef {{ vars: Record<string, unknown>, routes?: unknown[] | undefined, route?: unknown, workers_dev?: boolean | undefined }} Configuration
 */

/**
 * Returns the `HOSTS` that is known before the deployment, or null for a first deployment without a host.
 *
 * @param {Configuration} config
 * @param {{ argument: string | undefined, live: import('./live-worker.mjs').Binding[] }} facts `live`: the bindings of the live version
 * @returns {KnownHosts | null}
 */
export function resolveHosts(config, { argument, live }) {
  if (argument !== undefined) return { hosts: argument, source: 'argument' }
  const { HOSTS } = config.vars
  if (typeof HOSTS === 'string' && HOSTS.trim()) return { hosts: HOSTS, source: 'configuration' }
  const liveHosts = liveVariable(live, 'HOSTS')
  if (liveHosts) return { hosts: liveHosts, source: 'deployment' }
  const hosts = routedHosts(config).filter((host) => !host.includes('*'))
  return hosts.length > 0 ? { hosts: hosts.join(' '), source: 'routes' } : null
}

/**
 * Describes what is wrong with `HOSTS` if it would keep the Worker from serving requests. Returns null if the value
 * can be deployed.
 *
 * @param {KnownHosts} known
 * @returns {string | null}
 */
export function findHostsProblem({ hosts: setting, source }) {
  const { hosts, problems } = parseHosts(setting)
  const entries = setting.split(/[\s,]+/).filter(Boolean)
  const [first] = [
    ...(entries.length > 0 ? problems : ['it names no host']),
    ...consolesWithoutTenantHost(hosts).map(
      (host) => `"${host}" is for the console of a tenant that has no host`,
    ),
  ]
  if (first === undefined) return null
  const corrected = entries.map(correctEntry).join(' ')
  const isUsable = corrected !== entries.join(' ') && findHostsProblem({ hosts: corrected, source }) === null
  const example = isUsable ? corrected : entries.length === 0 ? 'id.example.com' : null
  return `${SOURCES[source]}: ${first}.${example ? ` Write: ${source === 'argument' ? `--host ${quoteIfNeeded(example)}` : example}` : ''}`
}

const SOURCES = {
  argument: '--host',
  configuration: 'HOSTS in the configuration',
  deployment: 'HOSTS of the live version',
  routes: 'The routes in the configuration',
}

/**
 * Converts an entry such as the URL `https://id.example.com/` to the one that was probably meant.
 *
 * @param {string} entry
 */
function correctEntry(entry) {
  const [place = '', ...rest] = entry.split('=')
  const url = URL.parse(place.includes('://') ? place : `https://${place}`)
  return url?.host ? [place.startsWith('*.') ? place : url.host, ...rest].join('=') : entry
}

/** @param {string} hosts */
const quoteIfNeeded = (hosts) => (/[\s*]/.test(hosts) ? `"${hosts}"` : hosts)

/**
 * Returns the settings that the overlay needs for `HOSTS`, and the host at which the first administrator is invited.
 * By default, wrangler only serves the workers.dev host if there is no route. If no entry is below workers.dev, that
 * host would bypass the configured ones.
 *
 * @param {KnownHosts} known
 * @param {Configuration} config
 */
export function planDeployment({ hosts, source }, config) {
  const { byHost, bases, consoles } = parseHosts(hosts).hosts
  const exactHosts = [...byHost.keys(), ...consoles.byHost.keys()].map(withoutPort)
  const all = [
    ...new Set([...exactHosts, ...[...bases, ...consoles.bases].map((base) => withoutPort(`*.${base}`))]),
  ]
  const own = all.filter((host) => !isOnWorkersDev(host))
  const routes = routedHosts(config)
  const isServed = config.workers_dev ?? own.length < all.length
  const domains =
    source === 'argument' && routes.length === 0 ? own.filter((host) => !host.startsWith('*')) : []
  const routedHostNames = [...routes, ...domains]
  return {
    settings: {
      hosts: source === 'configuration' ? undefined : hosts,
      workersDev:
        config.workers_dev === undefined && (own.length > 0 || routes.length > 0) ? isServed : undefined,
      domains,
    },
    /** Returns the hosts that no route covers. */
    unrouted: all.filter((host) => (isOnWorkersDev(host) ? !isServed : !routedHostNames.includes(host))),
    firstHost: [...byHost.keys()].find((host) => isServed || !isOnWorkersDev(withoutPort(host))),
  }
}

/** @param {string} host */
const withoutPort = (host) => host.replace(/:\d+$/, '')
/** @param {string} host */
const isOnWorkersDev = (host) => host.endsWith('.workers.dev')

/**
 * Runs a deployment and returns the hosts that wrangler reports for it (WRANGLER_OUTPUT_FILE_PATH).
 *
 * @param {(env: Record<string, string>) => Promise<number>} deploy
 */
export async function captureHosts(deploy) {
  const file = path.join(os.tmpdir(), `vestibule-deploy-${randomUUID()}.ndjson`)
  try {
    const code = await deploy({ WRANGLER_OUTPUT_FILE_PATH: file })
    return { code, hosts: code === 0 ? targetsIn(readReports(file)) : [] }
  } finally {
    rmSync(file, { force: true })
  }
}

/** @param {ReturnType<typeof readReports>} reports */
function targetsIn(reports) {
  return reports
    .filter(({ type }) => type === 'deploy')
    .flatMap(({ targets = [] }) => targets)
    .flatMap((target) => URL.parse(target.includes('://') ? target : `https://${target}`)?.host ?? [])
}

const NEW_OVERLAY =
  '# The settings of this deployment, which `npm run deploy` merges into wrangler.toml. Git ignores this file.\n'

/**
 * Adds settings to an overlay that has none of them yet. Creates the file if it is missing.
 *
 * @param {string} file
 * @param {string | undefined} environment
 * @param {{ hosts: string | undefined, domains: string[], workersDev: boolean | undefined }} settings
 * @returns {string[]} the lines that were written
 */
export function writeSettings(file, environment, { hosts, domains, workersDev }) {
  const original = existsSync(file) ? readFileSync(file, 'utf8') : NEW_OVERLAY
  const routes = domains.map((domain) => `{ pattern = ${JSON.stringify(domain)}, custom_domain = true }`)
  const top = [
    ...(workersDev === undefined ? [] : [`workers_dev = ${workersDev}`]),
    ...(routes.length > 0 ? [`routes = [${routes.join(', ')}]`] : []),
  ]
  if (top.length === 0 && !hosts) return []
  const withTop = top.length === 0 ? original : withKeys(original, environment, top)
  writeFileSync(
    file,
    hosts ? withVariable(withTop, environment ? `env.${environment}.vars` : 'vars', hosts) : withTop,
  )
  return [...(hosts ? [`HOSTS = "${hosts}"`] : []), ...top]
}

/**
 * Adds keys to an environment, or to the top level, where they must come before the first table.
 *
 * @param {string} toml
 * @param {string | undefined} environment
 * @param {string[]} keys
 */
function withKeys(toml, environment, keys) {
  const lines = toml.trimEnd().split('\n')
  const heading = `[env.${environment}]`
  const at = lines.findIndex((line) => (environment ? line.trim() === heading : line.startsWith('[')))
  if (at < 0) return [...lines, '', ...(environment ? [heading] : []), ...keys, ''].join('\n')
  return environment
    ? [...lines.slice(0, at + 1), ...keys, ...lines.slice(at + 1), ''].join('\n')
    : [...lines.slice(0, at), ...keys, '', ...lines.slice(at), ''].join('\n')
}

/** @param {string} toml @param {string} table @param {string} hosts */
function withVariable(toml, table, hosts) {
  const line = `HOSTS = ${JSON.stringify(hosts)}`
  const heading = `[${table}]`
  const lines = toml.trimEnd().split('\n')
  const at = lines.findIndex((each) => each.trim() === heading)
  if (at < 0)
    return `${lines.join('\n')}\n\n# Which tenant each host belongs to (docs/operations/configuration.md).\n${heading}\n${line}\n`
  const rest = lines.slice(at + 1).filter((each, index, all) => {
    const end = all.findIndex((other) => other.startsWith('['))
    return !((end < 0 || index < end) && /^\s*HOSTS\s*=/.test(each))
  })
  return [...lines.slice(0, at + 1), line, ...rest, ''].join('\n')
}

/** Returns the hosts of routes such as `id.example.com` and `*.id.example.com/*`. @param {Configuration} config */
const routedHosts = ({ routes = [], route }) =>
  [...routes, ...(route ? [route] : [])].flatMap((each) => {
    const pattern = typeof each === 'string' ? each : isRoute(each) ? each.pattern : ''
    return pattern.replace(/^https?:\/\//, '').split('/')[0] || []
  })

/** @param {unknown} route @returns {route is { pattern: string }} */
const isRoute = (route) =>
  typeof route === 'object' && route !== null && 'pattern' in route && typeof route.pattern === 'string'
