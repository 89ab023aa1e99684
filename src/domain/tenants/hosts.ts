import { DEFAULT_TENANT } from '../../contract/product.ts'
import { type HostTable, TENANT_LABEL } from '../../contract/tenants/hosts.ts'
import { DAY_SECONDS } from '../../contract/time.ts'

/** Which tenant a host names, and the origin of a tenant (spec/storage#tenant-hosts, ADR-0020). */

export type HostCircumstances = {
  hosts: HostTable
  isDevelopment: boolean
  /** In development, tenants answer below this domain as they do below `localhost` (docs/operations/configuration.md). */
  localDomain?: string | undefined
}

/** What becomes of a request by its address alone (spec/storage#tenant-hosts). */
export type AddressDecision =
  /** Whether a tenant of that name exists is not checked here. */
  | { kind: 'tenant'; tenantId: string }
  | { kind: 'unknownHost' }
  /** Between the hosts of a tenant and that of its console (spec/console#own-host). */
  | { kind: 'elsewhere'; address: string }
  /** Its issuer, mails and links would name whatever host a request names. */
  | { kind: 'hostsMissing' }
  /** Everything would be readable on the way: cookies, passwords, codes. */
  | { kind: 'plainHttp'; secureAddress: string }

export function decideByAddress(url: URL, circumstances: HostCircumstances): AddressDecision {
  const { hosts, isDevelopment } = circumstances
  if (!isDevelopment && hosts.byHost.size === 0 && hosts.bases.length === 0) return { kind: 'hostsMissing' }
  const ofConsole = consoleNamedBy(url, circumstances)
  const tenantId = ofConsole ?? tenantNamedBy(url, circumstances)
  if (tenantId === null) return { kind: 'unknownHost' }
  if (!isDevelopment && url.protocol !== 'https:')
    return { kind: 'plainHttp', secureAddress: `https:${url.href.slice(url.protocol.length)}` }

  const isForConsole = isConsolePath(url.pathname)
  if (ofConsole !== null) {
    if (isForConsole) return { kind: 'tenant', tenantId }
    return url.pathname === '/'
      ? { kind: 'elsewhere', address: url.origin + CONSOLE_PATH }
      : { kind: 'unknownHost' }
  }
  const own = isForConsole ? ownConsoleOrigin(tenantId, url, circumstances) : null
  return own === null
    ? { kind: 'tenant', tenantId }
    : { kind: 'elsewhere', address: own + url.pathname + url.search }
}

const CONSOLE_PATH = '/console'

/** As the router reads it: `/%63onsole` is there, too. */
function isConsolePath(pathname: string): boolean {
  const [, first = ''] = pathname.split('/')
  return `/${unescapedLetters(first)}` === CONSOLE_PATH
}

const unescapedLetters = (text: string) =>
  text.replaceAll(/%([67][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const LOCALHOST = 'localhost'
/** RFC 1122 §3.2.1.3, RFC 4291 §2.5.3; an address is in its shortest form in a URL. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

type Host = Pick<URL, 'host' | 'hostname'>

/**
 * Null when the host names no tenant, also where it is that of a console. Whether a tenant of that name exists is not checked
 * here.
 */
export function tenantNamedBy(url: Host, circumstances: HostCircumstances): string | null {
  const { host, hostname } = url
  const { hosts, isDevelopment } = circumstances
  if (isRebound(url, circumstances) || consoleNamedBy(url, circumstances) !== null) return null
  const tenantId = hosts.byHost.get(host)
  if (tenantId !== undefined) return tenantId
  if (!isDevelopment) return tenantBelow(hosts.bases, host)
  return LOOPBACK.test(hostname) ? DEFAULT_TENANT : tenantBelow(localDomains(circumstances), hostname)
}

/** The tenant whose console has this host (spec/console#own-host). */
function consoleNamedBy(url: Host, circumstances: HostCircumstances): string | null {
  const { byHost, consoles } = circumstances.hosts
  if (isRebound(url, circumstances) || byHost.has(url.host)) return null
  return consoles.byHost.get(url.host) ?? tenantBelow(consoles.bases, url.host)
}

/** A page of another host can make its own name lead to this machine (DNS rebinding), and read the inbox. */
const isRebound = ({ hostname }: Host, circumstances: HostCircumstances): boolean =>
  circumstances.isDevelopment &&
  !LOOPBACK.test(hostname) &&
  !localDomains(circumstances).some((domain) => isBelow(domain, hostname))

const localDomains = ({ localDomain }: HostCircumstances): string[] =>
  localDomain === undefined ? [LOCALHOST] : [LOCALHOST, localDomain]

/** Whether a host is `localhost`, a name below it (RFC 6761 §6.3) or a loopback address. */
const isThisMachine = (hostname: string): boolean => LOOPBACK.test(hostname) || isBelow(LOCALHOST, hostname)

/** The origin at a host for a link in a message, which has no request that tells the scheme. */
export function originForMessages(
  host: string,
  { isDevelopment, isBehindTlsProxy }: { isDevelopment: boolean; isBehindTlsProxy: boolean },
): string {
  const isPlain = isDevelopment && !isBehindTlsProxy && isThisMachine(withoutPort(host))
  return `${isPlain ? 'http' : 'https'}://${host}`
}

/** A base may be below another one: the one that a single label is before counts. */
const tenantBelow = (bases: readonly string[], host: string): string | null =>
  bases
    .filter((base) => isBelow(base, host))
    .map((base) => labelBefore(base, host))
    .find((label) => label !== null) ?? null

type Address = Pick<URL, 'protocol' | 'host' | 'port'>

/** Where the console of a tenant has a host of its own; null where it is served at each of the tenant's. */
export function ownConsoleOrigin(
  tenantId: string,
  { protocol }: Pick<Address, 'protocol'>,
  circumstances: HostCircumstances,
): string | null {
  const { byHost, bases } = circumstances.hosts.consoles
  const candidates = [...byHost.keys(), ...bases.map((base) => `${tenantId}.${base}`)]
  const own = candidates.find(
    (host) => consoleNamedBy({ host, hostname: withoutPort(host) }, circumstances) === tenantId,
  )
  return own === undefined ? null : `${protocol}//${own}`
}

/** The origin of a tenant, derived from an address of this deployment; null when no host leads to it. */
export const originOf = (
  tenantId: string,
  address: Address,
  circumstances: HostCircumstances,
): string | null => originsOf(tenantId, address, circumstances)[0] ?? null

/** All of them, that of the address first. */
export function originsOf(
  tenantId: string,
  { protocol, host, port }: Address,
  circumstances: HostCircumstances,
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
    tenantNamedBy({ host: candidate, hostname: withoutPort(candidate) }, circumstances)
  const matches = candidates.filter((candidate) => named(candidate) === tenantId)
  return [...new Set(matches)].map((candidate) => `${protocol}//${candidate}`)
}

/**
 * Whether passkeys of this tenant may belong to a domain: one of its hosts, or a domain above one of them that no other
 * tenant has a host below, to whom browsers would offer them.
 */
export function isOwnDomain(
  domain: string,
  tenantId: string,
  address: Address,
  circumstances: HostCircumstances,
): boolean {
  const own = originsOf(tenantId, address, circumstances).map((origin) => new URL(origin).hostname)
  if (own.includes(domain)) return true
  const { byHost, bases, consoles } = circumstances.hosts
  const others = [...byHost, ...consoles.byHost].flatMap(([host, owner]) =>
    owner === tenantId ? [] : [withoutPort(host)],
  )
  const isAbove = (host: string) => host === domain || isBelow(domain, host)
  const ofAll = [...bases, ...consoles.bases].map(withoutPort)
  return domain.includes('.') && own.some(isAbove) && ![...others, ...ofAll].some(isAbove)
}

/** One label: certificates for `*.base` cover no more (RFC 6125 §6.4.3). */
function labelBefore(base: string, host: string): string | null {
  const label = host.slice(0, -base.length - 1)
  return TENANT_LABEL.test(label) ? label : null
}

const withoutPort = (host: string) => host.replace(/:\d+$/, '')

const isBelow = (base: string, host: string) => host.endsWith(`.${base}`)

/**
 * The value of `Strict-Transport-Security` at an address (spec/pages#hsts). Null for this machine: the header applies to every
 * port of a host, so browsers would refuse whatever else a developer serves there by plain http.
 */
export function strictTransport(
  { protocol, host, hostname }: Pick<URL, 'protocol' | 'host' | 'hostname'>,
  hosts: HostTable,
): string | null {
  // Browsers resolve a name with a dot at the end like the name without it.
  if (protocol !== 'https:' || isThisMachine(hostname.replace(/\.$/, ''))) return null
  return `max-age=${YEAR_SECONDS}${wantsSecureSubdomains(host, hosts) ? '; includeSubDomains' : ''}`
}

const YEAR_SECONDS = 365 * DAY_SECONDS

/**
 * Whether the operator wants https at all names below a host, too (spec/pages#hsts). The entry that gives a host to a tenant
 * decides.
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

/**
 * How many labels browsers count among origins that share passkeys (WebAuthn Level 3 §5.11.1): names of registrable domains,
 * whatever public suffix follows. Without the list of those, a short name before a country's is taken for one, as in
 * `co.uk`.
 */
export function relatedLabels(origins: readonly string[]): number {
  return new Set(origins.map((origin) => registrableLabel(new URL(origin).hostname))).size
}

function registrableLabel(hostname: string): string {
  const labels = hostname.split('.')
  const [country = '', below = ''] = labels.toReversed()
  const hasLongSuffix = labels.length > 2 && country.length === 2 && below.length <= 3
  return labels.at(hasLongSuffix ? -3 : -2) ?? hostname
}
