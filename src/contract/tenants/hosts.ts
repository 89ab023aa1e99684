import { DEFAULT_TENANT } from '../product.ts'

/** Which tenant answers at which host, from `HOSTS` (ADR-0020). */
export type HostTable = HostNames & {
  /** Hosts that serve the console of a tenant and nothing else (spec/console#own-host). */
  consoles: HostNames
  /** The entries, `host` or `*.base`, whose hosts also keep browsers to https at every name below them. */
  withSubdomains: ReadonlySet<string>
}

type HostNames = {
  /** Tenants by host; the host includes a port other than the default one. */
  byHost: ReadonlyMap<string, string>
  /** A tenant answers at `{tenant id}.{base}`. */
  bases: readonly string[]
}

/** A label of a host (RFC 1123 §2.1) of at most the length of an id (spec/limits#ids). */
export const TENANT_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,19}[a-z0-9])?$/

/** An id that an operator chooses; at most as long as random ones (spec/storage#ids). */
export const OWN_ID = /^[\w-]{1,21}$/

/**
 * `HOSTS`: entries between spaces or commas. `host` is a host of the tenant `default`, `host=tenant` of another, and
 * `*.base=*` gives every tenant the host that begins with its id. `/console` behind the tenant makes it the host of its console,
 * and `/includeSubDomains` at the end extends `Strict-Transport-Security` to the names below the host.
 */
export function readHosts(setting: string): { hosts: HostTable; problems: string[] } {
  const byHost = new Map<string, string>()
  const ofConsoles = new Map<string, string>()
  const bases = new Set<string>()
  const consoleBases = new Set<string>()
  const withSubdomains = new Set<string>()
  const problems: string[] = []

  for (const entry of setting.split(/[\s,]+/).filter(Boolean)) {
    const problem = take(entry)
    if (problem) problems.push(`"${entry}" ${problem}`)
  }
  const consoles = { byHost: ofConsoles, bases: [...consoleBases] }
  return { hosts: { byHost, bases: [...bases], consoles, withSubdomains }, problems }

  function take(entry: string): string | null {
    const [place = '', value = DEFAULT_TENANT, ...more] = entry.split('=')
    const host = place.toLowerCase()
    const [, tenantId = '', isConsole, includesSubdomains] = TENANT_WITH_OPTIONS.exec(value) ?? []
    if (more.length > 0) return 'has more than one ='
    if (includesSubdomains) withSubdomains.add(host)
    if (host.startsWith(WILDCARD)) {
      const base = host.slice(WILDCARD.length)
      if (!isHost(base)) return 'does not end with a host'
      if (tenantId !== '*') return `must be followed by =*, with ${OPTIONS}`
      if ((isConsole ? bases : consoleBases).has(base)) return 'is for tenants and for their consoles'
      ;(isConsole ? consoleBases : bases).add(base)
      return null
    }
    if (!isHost(host)) return 'is not a host, perhaps with a port'
    if (!OWN_ID.test(tenantId)) return `does not name a tenant by its id, with ${OPTIONS}`
    const [own, others] = isConsole ? [ofConsoles, byHost] : [byHost, ofConsoles]
    if (others.has(host)) return 'is for a tenant and for a console'
    if ((own.get(host) ?? tenantId) !== tenantId) return 'gives a host to a second tenant'
    own.set(host, tenantId)
    return null
  }
}

/** Consoles of tenants that have no host to sign in at: by their host. */
export const consolesWithoutTenant = ({ byHost, bases, consoles }: HostTable): string[] => [
  ...[...consoles.byHost].flatMap(([host, tenantId]) =>
    bases.length > 0 || [...byHost.values()].includes(tenantId) ? [] : [host],
  ),
  ...(bases.length > 0 ? [] : consoles.bases.map((base) => WILDCARD + base)),
]

const WILDCARD = '*.'
const OPTIONS = 'nothing but /console and /includeSubDomains behind it'
const TENANT_WITH_OPTIONS = /^(.*?)(\/console)?(\/includeSubDomains)?$/

/** In the form of a request's address: with the characters of a host name, and without the default port of its scheme. */
function isHost(host: string): boolean {
  const url = URL.parse(`https://${host}`)
  const isUsualPort = /:(?:80|443)$/.test(host)
  return url?.host === host && !isUsualPort && /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\])(?::\d+)?$/.test(host)
}
