import ipaddr from 'ipaddr.js'
import { hasBlank } from '../../contract/blank.ts'

/**
 * Returns why an operator's settings may not make this server call an address (spec/connectors#outbound-addresses).
 * Only https to the public internet is allowed, unless private targets are. Names are checked as written; the platform
 * itself refuses a public name that resolves to a private address (`global_fetch_strictly_public`).
 */
export function outboundProblem(
  address: string,
  { allowPrivateTargets }: { allowPrivateTargets: boolean },
): string | null {
  // URL parsers drop white space silently, so the address checked would differ from the one called.
  const url = hasBlank(address) ? null : URL.parse(address)
  if (!url) return 'is not a URL'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must use https'
  if (url.username || url.password) return 'must not contain a user name or a password'
  if (allowPrivateTargets) return null

  if (url.protocol !== 'https:') return 'must use https'
  if (url.port && Number(url.port) < FIRST_FREE_PORT) return 'must not lead to the port of another service'
  return isPublicHost(url.hostname) ? null : 'must not lead to a private address'
}

/** Lower ports belong to mail, shells and other services (RFC 6335 §6). The parser drops 443. */
const FIRST_FREE_PORT = 1024

/**
 * The parser has already written decimal, octal and hexadecimal IPv4 addresses as four numbers, and IPv6 addresses in
 * their shortest form.
 */
function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.+)\]$/, '$1')
  if (!ipaddr.isValid(host)) return isPublicName(host.replace(/\.$/, '').toLowerCase())
  const address = ipaddr.parse(host)
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST))
}

/** Only 2000::/3 is allocated in IPv6, but `range` calls everything outside special-purpose ranges unicast. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Top-level names for this machine or this network (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`). */
const privateSuffixes = new Set(['localhost', 'local', 'localdomain', 'internal', 'arpa', 'lan', 'intranet'])

/** A name without a dot is resolved through a search list, which is private. A name with an empty label is invalid. */
function isPublicName(name: string): boolean {
  const labels = name.split('.')
  return labels.length > 1 && !labels.includes('') && !privateSuffixes.has(labels.at(-1) ?? '')
}
