import { type HostTable, TENANT_LABEL } from '../contract/hosts.ts'
import { DEFAULT_TENANT } from '../contract/product.ts'

/** Which tenant a host names, and the origin of a tenant (spec/storage#tenant-hosts, ADR-0020). */

export type HostCircumstances = { hosts: HostTable; isDevelopment: boolean }

/** What becomes of a request by its address alone (spec/storage#tenant-hosts). */
export type AddressDecision =
  /** Whether a tenant of that name exists is not checked here. */
  | { kind: 'tenant'; tenantId: string }
  | { kind: 'unknownHost' }
  /** Its issuer, mails and links would name whatever host a request names. */
  | { kind: 'hostsMissing' }
  /** Everything would be readable on the way: cookies, passwords, codes. */
  | { kind: 'plainHttp'; secureAddress: string }

export function decideByAddress(url: URL, circumstances: HostCircumstances): AddressDecision {
  const { hosts, isDevelopment } = circumstances
  if (!isDevelopment && hosts.byHost.size === 0 && hosts.bases.length === 0) return { kind: 'hostsMissing' }
  const tenantId = tenantNamedBy(url, circumstances)
  if (tenantId === null) return { kind: 'unknownHost' }
  if (isDevelopment || url.protocol === 'https:') return { kind: 'tenant', tenantId }
  return { kind: 'plainHttp', secureAddress: `https:${url.href.slice(url.protocol.length)}` }
}

const LOCALHOST = 'localhost'
/** RFC 1122 §3.2.1.3, RFC 4291 §2.5.3; an address is in its shortest form in a URL. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Null when the host names no tenant. Whether a tenant of that name exists is not checked here. */
export function tenantNamedBy(
  { host, hostname }: Pick<URL, 'host' | 'hostname'>,
  { hosts: { byHost, bases }, isDevelopment }: HostCircumstances,
): string | null {
  const isLoopback = LOOPBACK.test(hostname)
  // A page of another host can make its own name lead to this machine (DNS rebinding), and read the inbox.
  if (isDevelopment && !isLoopback && !isBelow(LOCALHOST, hostname)) return null
  const given = byHost.get(host)
  if (given !== undefined) return given
  if (isDevelopment) return isLoopback ? DEFAULT_TENANT : labelBefore(LOCALHOST, hostname)

  const base = bases.find((candidate) => isBelow(candidate, host))
  return base === undefined ? null : labelBefore(base, host)
}

type Address = Pick<URL, 'protocol' | 'host' | 'port'>

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
  { hosts, isDevelopment }: HostCircumstances,
): string[] {
  const candidates = [
    host,
    ...(isDevelopment ? [`${tenantId}.${LOCALHOST}${port ? `:${port}` : ''}`] : []),
    ...hosts.byHost.keys(),
    ...hosts.bases.map((base) => `${tenantId}.${base}`),
  ]
  const named = (candidate: string) =>
    tenantNamedBy({ host: candidate, hostname: withoutPort(candidate) }, { hosts, isDevelopment })
  const found = candidates.filter((candidate) => named(candidate) === tenantId)
  return [...new Set(found)].map((candidate) => `${protocol}//${candidate}`)
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
  const { byHost, bases } = circumstances.hosts
  const others = [...byHost].flatMap(([host, owner]) => (owner === tenantId ? [] : [withoutPort(host)]))
  const isAbove = (host: string) => host === domain || isBelow(domain, host)
  return domain.includes('.') && own.some(isAbove) && ![...others, ...bases.map(withoutPort)].some(isAbove)
}

/** One label: certificates for `*.base` cover no more (RFC 6125 §6.4.3). */
function labelBefore(base: string, host: string): string | null {
  const label = host.slice(0, -base.length - 1)
  return TENANT_LABEL.test(label) ? label : null
}

const withoutPort = (host: string) => host.replace(/:\d+$/, '')

const isBelow = (base: string, host: string) => host.endsWith(`.${base}`)

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
