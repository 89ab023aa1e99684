/**
 * `HOSTS` of a deployment (docs/configuration.md): outside development a Worker without it answers 503 alone. It is in the
 * operator's wrangler.toml, where `npm run deploy` writes it at the first deployment.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runProgram } from './processes.mjs'

/**
 * @typedef {{ hosts: string, source: 'configuration' | 'argument' | 'routes' | 'deployment' }} KnownHosts
 * @typedef {{ vars: Record<string, unknown>, routes?: unknown[] | undefined, route?: unknown, workers_dev?: boolean | undefined }} Configuration
 */

/** `HOSTS` as it is known before a deployment; null at a first one without an address. @param {Configuration} config @param {{ given: string | undefined, target: string[], env: Record<string, string> }} how @returns {Promise<KnownHosts | null>} */
export async function knownHosts({ vars, routes = [], route }, { given, target, env }) {
  if (given) return { hosts: given, source: 'argument' }
  if (typeof vars.HOSTS === 'string' && vars.HOSTS.trim())
    return { hosts: vars.HOSTS, source: 'configuration' }
  const deployed = await deployedHosts(target, env)
  if (deployed) return { hosts: deployed, source: 'deployment' }
  const hosts = [...routes, ...(route ? [route] : [])].flatMap(hostOfRoute)
  return hosts.length > 0 ? { hosts: hosts.join(' '), source: 'routes' } : null
}

/** Whether a host other than one of workers.dev is among them: then that address only leads around it. @param {string} hosts */
export const hasOwnHost = (hosts) =>
  hosts.split(/[\s,]+/).some((entry) => entry && !entry.split('=')[0]?.endsWith('.workers.dev'))

/** The hosts of tenants that are no wildcards, without those that serve a console alone. @param {string} hosts */
const namedHosts = (hosts) =>
  hosts
    .split(/[\s,]+/)
    .filter((entry) => !entry.includes('/console'))
    .map((entry) => entry.split('=')[0] ?? '')
    .filter((host) => host && !host.startsWith('*'))

/** @param {string} hosts */
export const firstHost = (hosts) => namedHosts(hosts)[0]
/** @param {string} hosts */
export const domainOf = (hosts) => namedHosts(hosts).find((host) => !host.endsWith('.workers.dev'))

/** The hosts that a deployment printed for programs (WRANGLER_OUTPUT_FILE_PATH). @param {(env: Record<string, string>) => Promise<number>} deploy */
export async function withTargets(deploy) {
  const file = path.join(os.tmpdir(), `vestibule-deploy-${randomUUID()}.ndjson`)
  try {
    const code = await deploy({ WRANGLER_OUTPUT_FILE_PATH: file })
    return { code, hosts: code === 0 ? targetsIn(readFileSync(file, 'utf8')) : [] }
  } finally {
    rmSync(file, { force: true })
  }
}

/** @param {string} lines */
function targetsIn(lines) {
  /** @type {{ type: string, targets?: string[] }[]} */
  const entries = lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  return entries
    .filter(({ type }) => type === 'deploy')
    .flatMap(({ targets = [] }) => targets)
    .flatMap((target) => URL.parse(target.includes('://') ? target : `https://${target}`)?.host ?? [])
}

/**
 * Writes settings into wrangler.toml, which has none of them yet.
 *
 * @param {string} file
 * @param {{ environment: string | undefined, hosts?: string | undefined, domain?: string | undefined, isWorkersDevOff: boolean }} settings
 */
export function writeSettings(file, { environment, hosts, domain, isWorkersDevOff }) {
  const before = readFileSync(file, 'utf8')
  const top = [
    ...(isWorkersDevOff ? ['workers_dev = false'] : []),
    ...(domain ? [`routes = [{ pattern = ${JSON.stringify(domain)}, custom_domain = true }]`] : []),
  ]
  // Keys of the top belong before the first table.
  const start = environment ? -1 : before.search(/^\[/m)
  const header = environment ? `\n[env.${environment}]\n` : ''
  const withTop =
    top.length === 0
      ? before
      : start < 0
        ? `${before.trimEnd()}\n${header}${top.join('\n')}\n`
        : `${before.slice(0, start)}${top.join('\n')}\n\n${before.slice(start)}`
  writeFileSync(
    file,
    hosts ? withVariable(withTop, environment ? `env.${environment}.vars` : 'vars', hosts) : withTop,
  )
}

/** @param {string} toml @param {string} table @param {string} hosts */
function withVariable(toml, table, hosts) {
  const line = `HOSTS = ${JSON.stringify(hosts)}`
  const heading = `[${table}]`
  const lines = toml.trimEnd().split('\n')
  const at = lines.findIndex((each) => each.trim() === heading)
  if (at < 0)
    return `${lines.join('\n')}\n\n# Which tenant answers at which host (docs/configuration.md).\n${heading}\n${line}\n`
  const rest = lines.slice(at + 1).filter((each, index, all) => {
    const end = all.findIndex((other) => other.startsWith('['))
    return !((end < 0 || index < end) && /^\s*HOSTS\s*=/.test(each))
  })
  return [...lines.slice(0, at + 1), line, ...rest, ''].join('\n')
}

/** `HOSTS` of the version that serves; null where there is none. @param {string[]} target @param {Record<string, string>} env */
async function deployedHosts(target, env) {
  const ask = async (/** @type {string[]} */ args) => {
    const { code, stdout } = await runProgram('wrangler', [...args, '--json', ...target], {
      show: 'never',
      env,
    })
    return code === 0 ? JSON.parse(stdout.slice(stdout.indexOf('{'))) : null
  }
  const deployment = await ask(['deployments', 'status'])
  const version = deployment?.versions?.[0]?.version_id
  const details = version ? await ask(['versions', 'view', version]) : null
  /** @type {{ name: string, type: string, text?: string }[]} */
  const bindings = details?.resources?.bindings ?? []
  return bindings.find(({ name, type }) => name === 'HOSTS' && type === 'plain_text')?.text || null
}

/** Of `id.example.com` and `id.example.com/*`; a pattern with another wildcard names no host. @param {unknown} route */
function hostOfRoute(route) {
  const pattern = typeof route === 'string' ? route : isRoute(route) ? route.pattern : ''
  const [host = ''] = pattern.replace(/^https?:\/\//, '').split('/')
  return host && !host.includes('*') ? [host] : []
}

/** @param {unknown} route @returns {route is { pattern: string }} */
const isRoute = (route) =>
  typeof route === 'object' && route !== null && 'pattern' in route && typeof route.pattern === 'string'
