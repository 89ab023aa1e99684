/**
 * Where this server may be sent by an operator's settings (decision 18): over https to the public internet, unless the
 * tenant allows private targets. Names are judged as they are written; that a public name does not lead to a private
 * address is the platform's part (`global_fetch_strictly_public`, design 2).
 */
export function outboundProblem(
  address: string,
  { allowPrivateTargets }: { allowPrivateTargets: boolean },
): string | null {
  const url = BLANK.test(address) ? null : URL.parse(address)
  if (!url) return 'is not a URL'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must use https'
  if (url.username || url.password) return 'must not carry a user name or a password'
  if (allowPrivateTargets) return null

  if (url.protocol !== 'https:') return 'must use https'
  if (url.port && Number(url.port) < FIRST_FREE_PORT) return 'must not lead to the port of another service'
  return isPublic(url.hostname) ? null : 'must not lead to a private address'
}

/** Below it lie mail, shells and their like (RFC 6335 §6); 443 itself is never written. */
const FIRST_FREE_PORT = 1024

/** Parsers strip these in silence: what is judged and what is called would differ. */
const BLANK = /[\s\p{Cc}]/u

/** By now the parser has written decimal, octal and hexadecimal IPv4 addresses as four numbers, and IPv6 shortest. */
function isPublic(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPublicV6(hostname.slice(1, -1))
  if (IPV4.test(hostname)) return isPublicV4(hostname)
  return isPublicName(hostname.replace(/\.$/, '').toLowerCase())
}

const IPV4 = /^\d+\.\d+\.\d+\.\d+$/

/** IANA IPv4 special-purpose address registry, and multicast and above. */
const specialV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local, and the metadata of clouds
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

function isPublicV4(address: string): boolean {
  const number = numberOf(address)
  return !specialV4.some(([network, bits]) => {
    const size = 2 ** (32 - bits)
    return Math.floor(number / size) === Math.floor(numberOf(network) / size)
  })
}

const numberOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

/**
 * Only global unicast, 2000::/3, is public. Everything that wraps an IPv4 address (mapped, compatible, NAT64) lies
 * outside it, but for 6to4 and Teredo.
 */
function isPublicV6(address: string): boolean {
  const [first = '', second = ''] = address.split(':')
  const head = Number.parseInt(first || '0', 16)
  if (head < 0x2000 || head > 0x3fff) return false
  if (head === 0x2002) return false // 6to4
  // 2001::/23 is for protocols, Teredo among them; 2001:db8::/32 and 3fff::/20 are for documentation.
  const next = Number.parseInt(second || '0', 16)
  if (head === 0x2001) return next >= 0x0200 && next !== 0x0db8
  return !(head === 0x3fff && next < 0x1000)
}

/** Names that mean this machine or this network (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`). */
const privateSuffixes = new Set(['localhost', 'local', 'localdomain', 'internal', 'arpa', 'lan', 'intranet'])

/** A name without a dot is found by a search list only, which is private by nature; one with an empty part is none. */
function isPublicName(name: string): boolean {
  const labels = name.split('.')
  return labels.length > 1 && !labels.includes('') && !privateSuffixes.has(labels.at(-1) ?? '')
}
