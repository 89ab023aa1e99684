/** Checks rate limits and names their counters (spec/accounts#rate-limits). */
import ipaddr from 'ipaddr.js'
import { type Refusal, refuse } from '../contract/errors.ts'
import { getCallingCode } from '../contract/interactions/phone-numbers.ts'
import { getRateLimit, type Limit, NETWORK_LEVELS, type RateLimitName } from '../contract/rate-limits.ts'
import { toAsciiLowerCase } from './interactions/accounts.ts'

/**
 * The state of a counter after it has counted an attempt. If `count` is above `allowed`, the attempt is rejected until
 * `lockedUntil` (in epoch milliseconds).
 */
export type ConsumedAttempt = {
  name: RateLimitName
  count: number
  allowed: number
  lockedUntil: number | null
}

/**
 * Returns the error of the first counter that is over its limit. Later counters were not incremented and are not in the
 * list.
 */
export function checkAttempts(consumed: readonly ConsumedAttempt[], now: number): Refusal | null {
  const refusing = consumed.find(({ count, allowed }) => count > allowed)
  if (!refusing) return null
  // The error contains no end time, because a password reset or a trusted browser can end the lock
  // (spec/accounts#failures-in-a-row).
  if (getRateLimit(refusing.name).isInARow) return refuse('session.password_locked')
  const left = (refusing.lockedUntil ?? now) - now
  return refuse('request.too_many_requests', { retryAfter: Math.max(1, Math.ceil(left / 1000)) })
}

/**
 * Returns the attempts to refund after this outcome. All attempts were counted in advance. Counters of consecutive
 * failures are cleared instead (spec/accounts#failures-in-a-row).
 */
export const refundableAttempts = <C extends ConsumedAttempt>(
  consumed: readonly C[],
  outcome: 'refused' | 'accepted',
): C[] =>
  consumed.filter(({ name, count, allowed }) => {
    const { stays, isInARow } = getRateLimit(name)
    return !isInARow && stays !== 'all' && stays !== outcome && count <= allowed
  })

/**
 * The factor by which limits per network are higher in development, where a whole team and its tests share one IP
 * address (spec/limits#rate-limits).
 */
const DEVELOPMENT_FACTOR = 100

export const limitPerNetwork = (
  { count, windowSeconds }: Limit,
  factor: number,
  environment: string,
): Limit => ({
  count: count * factor * (environment === 'development' ? DEVELOPMENT_FACTOR : 1),
  windowSeconds,
})

/**
 * Returns the name under which attempts for an identifier are counted. All spellings of an identifier share one
 * counter: usernames and email addresses are case-insensitive (spec/accounts#identifiers), and several spellings of a
 * phone number reach the same phone.
 */
export function counterName({ type, value }: { type: string; value: string }): string {
  return type === 'phone' ? phoneCounterName(value) : toAsciiLowerCase(value)
}

type CountedNetwork = { name: string; factor: number }

/**
 * Returns the networks of an IP address that share a rate limit, smallest first: an IPv4 address itself, or the first
 * 64, 56 and 48 bits of an IPv6 address (RFC 6177). Unknown and invalid addresses share one counter.
 */
export function getNetworks(ip: string | undefined): CountedNetwork[] {
  const text = (ip ?? '').trim()
  if (!ipaddr.IPv6.isValid(text) && !ipaddr.IPv4.isValidFourPartDecimal(text))
    return [networkNamed('unknown')]
  const address = ipaddr.process(text)
  if (!('parts' in address)) return [networkNamed(address.toString())]
  return NETWORK_LEVELS.map(({ prefix, factor }) => ({ name: prefixOf(address.parts, prefix), factor }))
}

/**
 * Returns the largest network of an IP address. Its limit is not multiplied, because a customer can have any number of
 * smaller networks in it.
 */
export const largestNetwork = (ip: string | undefined): CountedNetwork =>
  networkNamed(getNetworks(ip).at(-1)?.name ?? 'unknown')

/**
 * Returns the names of the counters for flood protection: one for the smallest network and one for the largest. The
 * platform applies the same limit to all counters. The largest network may use a multiple of this limit, so it has that
 * many counters. `draw`, which is at least 0 and below 1, selects the one that counts the request. Once the smallest
 * network is over its limit, its requests are not counted for the largest.
 */
export function floodCounterNames(ip: string | undefined, draw: number): string[] {
  const [smallest = networkNamed('unknown'), ...larger] = getNetworks(ip)
  const largest = larger.at(-1)
  return [smallest.name, ...(largest ? [`${largest.name} ${Math.floor(draw * largest.factor)}`] : [])]
}

const networkNamed = (name: string): CountedNetwork => ({ name, factor: 1 })

const GROUP_BITS = 16

function prefixOf(groups: readonly number[], bits: number): string {
  const prefix = groups.slice(0, Math.ceil(bits / GROUP_BITS)).map((group, index) => {
    const dropped = Math.max(0, (index + 1) * GROUP_BITS - bits)
    return ((group >> dropped) << dropped).toString(16)
  })
  return `${prefix.join(':')}::/${bits}`
}

/**
 * Returns the name under which all spellings of a phone number share a counter. Gateways ignore zeros before and after
 * the calling code. In countries where the zero is part of the number, no other phone has the same number without it.
 */
export function phoneCounterName(digits: string): string {
  const international = withoutZeros(digits)
  const callingCode = getCallingCode(international)
  return callingCode + withoutZeros(international.slice(callingCode.length))
}

const withoutZeros = (digits: string) => digits.replace(/^0+/, '')

/** Returns the calling code that all spellings of a number share. */
export const normalizedCallingCode = (digits: string): string => getCallingCode(withoutZeros(digits))
