import { DEFAULT_TENANT } from '../product.ts'

/** The mapping of hosts to tenants, as configured in `HOSTS` (ADR-0020). */
export type HostTable = HostNames & {
  /** The hosts that serve only a tenant's console, by host (spec/console#own-host). */
  consoles: HostNames
  /** The entries (`host` or `*.base`) whose `Strict-Transport-Security` header includes all subdomains. */
  withSubdomains: ReadonlySet<string>
}

type HostNames = {
  /** Tenant ids by host. A host includes its port unless that is the default port. */
  byHost: ReadonlyMap<string, string>
  /** Base domains. Each tenant is served at `{tenant id}.{base}`. */
  bases: readonly string[]
}

/** Matches a host label (RFC 1123 §2.1) of at most the length of an id (spec/limits#ids). */
export const TENANT_LABEL_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,19}[a-z0-9])?$/

/** Matches an id that an operator has chosen. It is at most as long as a generated id (spec/storage#ids). */
export const CUSTOM_ID_PATTERN = /^[\w-]{1,21}$/

/**
 * Parses `HOSTS`, whose entries are separated by spaces or commas. `host` is a host of the tenant `default`,
 * `host=tenant` is a host of another tenant, and `*.base=*` gives every tenant the host that begins with its id.
 * `/console` after the tenant makes the entry the host of that tenant's console. A final `/includeSubDomains` extends
 * `Strict-Transport-Security` to all subdomains of the host.
 */
export function parseHosts(setting: string): { hosts: HostTable; problems: string[] } {
  const byHost = new Map<string, string>()
  const consolesByHost = new Map<string, string>()
  const bases = new Set<string>()
  const consoleBases = new Set<string>()
  const withSubdomains = new Set<string>()
  const problems: string[] = []

  for (const entry of setting.split(/[\s,]+/).filter(Boolean)) {
    const problem = addEntry(entry)
    if (problem) problems.push(`"${entry}" ${problem}`)
  }
  const consoles = { byHost: consolesByHost, bases: [...consoleBases] }
  return { hosts: { byHost, bases: [...bases], consoles, withSubdomains }, problems }

  function addEntry(entry: string): string | null {
    const [place = '', value = DEFAULT_TENANT, ...more] = entry.split('=')
    const host = place.toLowerCase()
    const [, tenantId = '', isConsole, includesSubdomains] = TENANT_WITH_OPTIONS.exec(value) ?? []
    if (more.length > 0) return 'has more than one ='
    if (includesSubdomains) withSubdomains.add(host)
    if (host.startsWith(WILDCARD)) {
      const base = host.slice(WILDCARD.length)
      if (!isHost(base)) return 'does not end with a host'
      if (tenantId !== '*') return `must be followed by =*, and ${OPTIONS}`
      if ((isConsole ? bases : consoleBases).has(base)) return 'is used for both tenants and their consoles'
      ;(isConsole ? consoleBases : bases).add(base)
      return null
    }
    if (!isHost(host)) return 'is not a host with an optional port'
    if (!CUSTOM_ID_PATTERN.test(tenantId)) return `does not name a tenant by its id, and ${OPTIONS}`
    const [own, others] = isConsole ? [consolesByHost, byHost] : [byHost, consolesByHost]
    if (others.has(host)) return 'is used for both a tenant and a console'
    if ((own.get(host) ?? tenantId) !== tenantId) return 'assigns a host to a second tenant'
    own.set(host, tenantId)
    return null
  }
}

/** Returns the console hosts of tenants that have no host at which to sign in. */
export const consolesWithoutTenantHost = ({ byHost, bases, consoles }: HostTable): string[] => [
  ...[...consoles.byHost].flatMap(([host, tenantId]) =>
    bases.length > 0 || [...byHost.values()].includes(tenantId) ? [] : [host],
  ),
  ...(bases.length > 0 ? [] : consoles.bases.map((base) => WILDCARD + base)),
]

const WILDCARD = '*.'
const OPTIONS = 'optionally /console and /includeSubDomains'
const TENANT_WITH_OPTIONS = /^(.*?)(\/console)?(\/includeSubDomains)?$/

/** Checks whether a text is a host as it appears in a URL: it has valid characters and no default port. */
function isHost(host: string): boolean {
  const url = URL.parse(`https://${host}`)
  const isDefaultPort = /:(?:80|443)$/.test(host)
  return url?.host === host && !isDefaultPort && /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\])(?::\d+)?$/.test(host)
}
