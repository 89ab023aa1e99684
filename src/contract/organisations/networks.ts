/** Networks in CIDR notation, from which members may act for an organisation (spec/organisations#policy). */
import ipaddr from 'ipaddr.js'

export const MAX_NETWORKS = 50
/** The length of the longest network: an IPv6 address that ends with an IPv4 address, and a prefix of three digits. */
export const MAX_NETWORK_LENGTH = 49

/** The length of the IPv6 prefix before the 32 bits of a mapped IPv4 address (RFC 4291 §2.5.5.2). */
const MAPPED_PREFIX = 96

type Address = ReturnType<typeof ipaddr.process>
type Network = { address: Address; prefix: number }

/**
 * Returns the canonical form of a network, or null if the text is not one. The bits after the prefix are zero, IPv4
 * networks that are written as IPv6 become IPv4, and an address without a prefix is a network of its own.
 */
export function canonicalNetwork(text: string): string | null {
  const network = parseNetwork(text)
  return network && `${network.address.toString()}/${network.prefix}`
}

/**
 * Checks whether an address is in one of the networks. Text that is not an address is in no network, and text that is
 * not a network contains no address.
 */
export function isInNetworks(ip: string | undefined, networks: readonly string[]): boolean {
  const address = parseAddress(ip ?? '')
  if (!address) return false
  return networks.some((text) => {
    const network = parseNetwork(text)
    return network !== null && isInNetwork(address, network)
  })
}

function parseNetwork(text: string): Network | null {
  const [, host = '', digits] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? []
  const address = parseAddress(host)
  if (!address) return null
  const length = address.toByteArray().length * 8
  // The prefix of a mapped address counts from the first bit of the IPv6 address.
  const skipped = host.includes(':') && address.kind() === 'ipv4' ? MAPPED_PREFIX : 0
  const prefix = digits === undefined ? length : Number(digits) - skipped
  if (prefix < 0 || prefix > length) return null
  return { address: withoutHostBits(address, prefix), prefix }
}

/**
 * Parses an address, and returns the IPv4 address that an IPv6 address may contain. The library also accepts octal and
 * hexadecimal IPv4 addresses and IPv6 zones, whose meaning depends on the machine.
 */
function parseAddress(text: string): Address | null {
  const isAddress = text.includes(':')
    ? /^[\da-f:.]+$/i.test(text) && ipaddr.IPv6.isValid(text)
    : ipaddr.IPv4.isValidFourPartDecimal(text)
  return isAddress ? ipaddr.process(text) : null
}

function withoutHostBits(address: Address, prefix: number): Address {
  const bytes = address.toByteArray().map((byte, index) => {
    const networkBits = Math.min(8, Math.max(0, prefix - index * 8))
    return byte & ~(0xff >> networkBits) & 0xff
  })
  return ipaddr.fromByteArray(bytes)
}

const isInNetwork = (address: Address, network: Network): boolean =>
  address.kind() === network.address.kind() &&
  withoutHostBits(address, network.prefix).toString() === network.address.toString()
