import ipaddr from 'ipaddr.js'
import { hasSpaceOrControl } from '../../contract/blank.ts'

const NEEDS_HTTPS = 'must use https'
const PRIVATE_ADDRESS = 'must not lead to a private address'

/**
 * Returns the reason why an operator's settings may not make this server call a URL, or null if they may
 * (spec/connectors#outbound-addresses). Only https to the public internet is allowed, unless private targets are
 * enabled. Host names are checked without resolving them; the platform rejects public names that resolve to private
 * addresses (`global_fetch_strictly_public`).
 */
export function findOutboundUrlProblem(
  address: string,
  { allowPrivateTargets }: { allowPrivateTargets: boolean },
): string | null {
  // URL parsers silently drop white space, so the URL that was checked would differ from the one that is called.
  const url = hasSpaceOrControl(address) ? null : URL.parse(address)
  if (!url) return 'is not a URL'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return NEEDS_HTTPS
  if (url.username || url.password) return 'must not contain a user name or a password'
  if (allowPrivateTargets) return null

  if (url.protocol !== 'https:') return NEEDS_HTTPS
  if (url.port && Number(url.port) < FIRST_FREE_PORT) return 'must not lead to the port of another service'
  return isPublicHost(url.hostname) ? null : PRIVATE_ADDRESS
}

/**
 * Like `findOutboundUrlProblem`, but if the tenant may allow private targets, says that the setting would help. The
 * console shows these two sentences with a link to the setting.
 */
export function findConfigurableUrlProblem(address: string, allowed: { allowPrivateTargets: boolean }) {
  const problem = findOutboundUrlProblem(address, allowed)
  if (problem === PRIVATE_ADDRESS)
    return 'is on a private network, which the setting allowPrivateTargets has to allow'
  return problem === NEEDS_HTTPS && URL.parse(address)?.protocol === 'http:'
    ? 'is an http URL, which the setting allowPrivateTargets has to allow'
    : problem
}

/** Lower ports belong to email, remote shells and other services (RFC 6335 §6). The URL parser drops port 443. */
const FIRST_FREE_PORT = 1024

/**
 * The URL parser has already converted decimal, octal and hexadecimal IPv4 addresses to four numbers, and IPv6
 * addresses to their shortest form.
 */
function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.+)\]$/, '$1')
  if (!ipaddr.isValid(host)) return isPublicName(host.replace(/\.$/, '').toLowerCase())
  const address = ipaddr.parse(host)
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST))
}

/**
 * IPv6 addresses are allocated only from 2000::/3, but `range` returns `unicast` for everything outside special-purpose
 * ranges.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Top-level domains for the local machine or network (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`). */
const privateSuffixes = new Set(['localhost', 'local', 'localdomain', 'internal', 'arpa', 'lan', 'intranet'])

/** A name without a dot is resolved through a private search list. A name with an empty label is invalid. */
function isPublicName(name: string): boolean {
  const labels = name.split('.')
  return labels.length > 1 && !labels.includes('') && !privateSuffixes.has(labels.at(-1) ?? '')
}
