import { DEFAULT_TENANT } from '../../contract/product.ts'
import { type HostTable, TENANT_LABEL_PATTERN } from '../../contract/tenants/hosts.ts'
import { DAY_SECONDS } from '../../contract/time.ts'

/** Maps hosts to tenants, and tenants to their origins (spec/storage#tenant-hosts, ADR-0020). */

export type HostContext = {
  hosts: HostTable
  isDevelopment: boolean
  /** The domain for tenants in development, in addition to `localhost` (docs/operations/configuration.md). */
  localDomain?: string | undefined
}

/** The handling of a request, as determined by its URL (spec/storage#tenant-hosts). */
export type RoutingDecision =
  /** The request is for this tenant. Whether the tenant exists is not checked here. */
  | { kind: 'tenant'; tenantId: string }
  | { kind: 'unknownHost' }
  /**
   * The request belongs on another host of the tenant: on the console's host instead of the tenant's own, or vice versa
   * (spec/console#own-host).
   */
  | { kind: 'elsewhere'; address: string }
  /**
   * No hosts are configured. Nothing is served, because the issuer, emails and links would contain whatever host the
   * request names.
   */
  | { kind: 'hostsMissing' }
  /**
   * The request uses plain http. It is not served, because cookies, passwords and codes would be readable on the
   * network.
   */
  | { kind: 'plainHttp'; secureAddress: string }

export function decideRouting(url: URL, circumstances: HostContext): RoutingDecision {
  const { hosts, isDevelopment } = circumstances
  if (!isDevelopment && hosts.byHost.size === 0 && hosts.bases.length === 0) return { kind: 'hostsMissing' }
  const consoleTenantId = consoleNamedBy(url, circumstances)
  const tenantId = consoleTenantId ?? findTenantByHost(url, circumstances)
  if (tenantId === null) return { kind: 'unknownHost' }
  if (!isDevelopment && url.protocol !== 'https:')
    return { kind: 'plainHttp', secureAddress: `https:${url.href.slice(url.protocol.length)}` }

  const isForConsole = isConsolePath(url.pathname)
  if (consoleTenantId !== null) {
    if (isForConsole) return { kind: 'tenant', tenantId }
    return url.pathname === '/'
      ? { kind: 'elsewhere', address: url.origin + CONSOLE_PATH }
      : { kind: 'unknownHost' }
  }
  const own = isForConsole ? dedicatedConsoleOrigin(tenantId, url, circumstances) : null
  return own === null
    ? { kind: 'tenant', tenantId }
    : { kind: 'elsewhere', address: own + url.pathname + url.search }
}

const CONSOLE_PATH = '/console'

/**
 * Checks whether a path belongs to the console, decoding it as the router does. The router also accepts `/%63onsole`.
 */
function isConsolePath(pathname: string): boolean {
  const [, first = ''] = pathname.split('/')
  return `/${unescapedLetters(first)}` === CONSOLE_PATH
}

const unescapedLetters = (text: string) =>
  text.replaceAll(/%([67][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const LOCALHOST = 'localhost'
/**
 * Matches loopback addresses (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). The host of a URL contains an address in its
 * shortest form.
 */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

type Host = Pick<URL, 'host' | 'hostname'>

/**
 * Returns the tenant that a host belongs to, or null if it belongs to none or is a console's host. Whether the tenant
 * exists is not checked here.
 */
export function findTenantByHost(url: Host, circumstances: HostContext): string | null {
  const { host, hostname } = url
  const { hosts, isDevelopment } = circumstances
  if (isRebound(url, circumstances) || consoleNamedBy(url, circumstances) !== null) return null
  const tenantId = hosts.byHost.get(host)
  if (tenantId !== undefined) return tenantId
  if (!isDevelopment) return tenantBelow(hosts.bases, host)
  return LOOPBACK.test(hostname) ? DEFAULT_TENANT : tenantBelow(localDomains(circumstances), hostname)
}

/** Returns the tenant to whose console this host belongs (spec/console#own-host). */
function consoleNamedBy(url: Host, circumstances: HostContext): string | null {
  const { byHost, consoles } = circumstances.hosts
  if (isRebound(url, circumstances) || byHost.has(url.host)) return null
  return consoles.byHost.get(url.host) ?? tenantBelow(consoles.bases, url.host)
}

/**
 * Checks for DNS rebinding, with which a page on another host could point its own host name to this machine and read
 * the dev inbox.
 */
const isRebound = ({ hostname }: Host, circumstances: HostContext): boolean =>
  circumstances.isDevelopment &&
  !LOOPBACK.test(hostname) &&
  !localDomains(circumstances).some((domain) => isBelow(domain, hostname))

const localDomains = ({ localDomain }: HostContext): string[] =>
  localDomain === undefined ? [LOCALHOST] : [LOCALHOST, localDomain]

/** Checks whether a host is `localhost`, a name below it (RFC 6761 §6.3) or a loopback address. */
const isThisMachine = (hostname: string): boolean => LOOPBACK.test(hostname) || isBelow(LOCALHOST, hostname)

/**
 * Returns the origin of a host, for a link in a message. The scheme depends only on the environment, because messages
 * are also sent without a request.
 */
export function originForMessages(
  host: string,
  { isDevelopment, isBehindTlsProxy }: { isDevelopment: boolean; isBehindTlsProxy: boolean },
): string {
  const isPlain = isDevelopment && !isBehindTlsProxy && isThisMachine(withoutPort(host))
  return `${isPlain ? 'http' : 'https'}://${host}`
}

/**
 * Returns the tenant of a host below one of the bases. If one base is below another, the host belongs to the base that
 * has exactly one label in front of it.
 */
const tenantBelow = (bases: readonly string[], host: string): string | null =>
  bases
    .filter((base) => isBelow(base, host))
    .map((base) => labelBefore(base, host))
    .find((label) => label !== null) ?? null

type Address = Pick<URL, 'protocol' | 'host' | 'port'>

/**
 * Returns the origin of a tenant's console if the console has its own host, or null if every host of the tenant serves
 * it.
 */
export function dedicatedConsoleOrigin(
  tenantId: string,
  { protocol }: Pick<Address, 'protocol'>,
  circumstances: HostContext,
): string | null {
  const { byHost, bases } = circumstances.hosts.consoles
  const candidates = [...byHost.keys(), ...bases.map((base) => `${tenantId}.${base}`)]
  const own = candidates.find(
    (host) => consoleNamedBy({ host, hostname: withoutPort(host) }, circumstances) === tenantId,
  )
  return own === undefined ? null : `${protocol}//${own}`
}

/**
 * Returns the origin of a tenant, derived from a URL of this deployment. Returns null if no host points to the tenant.
 */
export const tenantOrigin = (tenantId: string, address: Address, circumstances: HostContext): string | null =>
  tenantOrigins(tenantId, address, circumstances)[0] ?? null

/** Returns all origins of a tenant. If the URL belongs to one of them, that origin comes first. */
export function tenantOrigins(
  tenantId: string,
  { protocol, host, port }: Address,
  circumstances: HostContext,
): string[] {
  const { hosts, isDevelopment } = circumstances
  const near = localDomains(circumstances).find((domain) => isBelow(domain, withoutPort(host))) ?? LOCALHOST
  const candidates = [
    host,
    ...(isDevelopment ? [`${tenantId}.${near}${port ? `:${port}` : ''}`] : []),
    ...hosts.byHost.keys(),
    ...hosts.bases.map((base) => `${tenantId}.${base}`),
  ]
  const named = (candidate: string) =>
    findTenantByHost({ host: candidate, hostname: withoutPort(candidate) }, circumstances)
  const matches = candidates.filter((candidate) => named(candidate) === tenantId)
  return [...new Set(matches)].map((candidate) => `${protocol}//${candidate}`)
}

/**
 * Checks whether a domain can be the passkey domain of a tenant. It must be one of the tenant's hosts or a parent
 * domain of one. No other tenant may have a host at or below it, because browsers would offer the passkeys there.
 */
export function isTenantDomain(
  domain: string,
  tenantId: string,
  address: Address,
  circumstances: HostContext,
): boolean {
  const own = tenantOrigins(tenantId, address, circumstances).map((origin) => new URL(origin).hostname)
  if (own.includes(domain)) return true
  const { byHost, bases, consoles } = circumstances.hosts
  const others = [...byHost, ...consoles.byHost].flatMap(([host, owner]) =>
    owner === tenantId ? [] : [withoutPort(host)],
  )
  const isAbove = (host: string) => host === domain || isBelow(domain, host)
  const shared = [...bases, ...consoles.bases].map(withoutPort)
  return domain.includes('.') && own.some(isAbove) && ![...others, ...shared].some(isAbove)
}

/**
 * Returns the label in front of a base. Only one label is allowed, because a certificate for `*.base` covers no more
 * (RFC 6125 §6.4.3).
 */
function labelBefore(base: string, host: string): string | null {
  const label = host.slice(0, -base.length - 1)
  return TENANT_LABEL_PATTERN.test(label) ? label : null
}

const withoutPort = (host: string) => host.replace(/:\d+$/, '')

const isBelow = (base: string, host: string) => host.endsWith(`.${base}`)

/**
 * Returns the value of the header `Strict-Transport-Security` for a URL (spec/pages#hsts), or null for the local
 * machine. On the local machine, the header would apply to every port, so browsers would block everything else that a
 * developer serves over plain http.
 */
export function strictTransportSecurity(
  { protocol, host, hostname }: Pick<URL, 'protocol' | 'host' | 'hostname'>,
  hosts: HostTable,
): string | null {
  // Browsers resolve a host name with a trailing dot like the same name without it.
  if (protocol !== 'https:' || isThisMachine(hostname.replace(/\.$/, ''))) return null
  return `max-age=${YEAR_SECONDS}${wantsSecureSubdomains(host, hosts) ? '; includeSubDomains' : ''}`
}

const YEAR_SECONDS = 365 * DAY_SECONDS

/**
 * Checks whether the entry in `HOSTS` that covers a host requires https for all of its subdomains as well
 * (spec/pages#hsts).
 */
function wantsSecureSubdomains(
  host: string,
  { byHost, bases, consoles, withSubdomains }: HostTable,
): boolean {
  if (byHost.has(host) || consoles.byHost.has(host)) return withSubdomains.has(host)
  return [...bases, ...consoles.bases].some(
    (base) => withSubdomains.has(`*.${base}`) && tenantBelow([base], host) !== null,
  )
}
