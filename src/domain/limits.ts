/** Rate limits (spec/accounts#rate-limits). */
import ipaddr from 'ipaddr.js'
import { type Refusal, refuse } from '../contract/errors.ts'
import { getCallingCode } from '../contract/interactions/phone-numbers.ts'
import { getRateLimit, type Limit, NETWORK_LEVELS, type RateLimitName } from '../contract/rate-limits.ts'
import { asciiLowerCase } from './interactions/accounts.ts'

/**
 * A counter after one more use. It refuses if `count` is above `allowed`, until `lockedUntil` (in epoch milliseconds).
 */
export type ConsumedAttempt = {
  name: RateLimitName
  count: number
  allowed: number
  lockedUntil: number | null
}

/** Returns the refusal of the first counter that refuses. Later counters were not consumed and are not in the list. */
export function checkAttempts(consumed: readonly ConsumedAttempt[], now: number): Refusal | null {
  const refusing = consumed.find(({ count, allowed }) => count > allowed)
  if (!refusing) return null
  // No end time is given: a password reset or a trusted browser is the way out (spec/accounts#failures-in-a-row).
  if (getRateLimit(refusing.name).isInARow) return refuse('session.password_locked')
  const left = (refusing.lockedUntil ?? now) - now
  return refuse('request.too_many_requests', { retryAfter: Math.max(1, Math.ceil(left / 1000)) })
}

/**
 * Returns the attempts that are refunded after this outcome; all of them were consumed in advance. Consecutive failures
 * are not refunded one by one but cleared (spec/accounts#failures-in-a-row).
 */
export const refundableAttempts = <C extends ConsumedAttempt>(
  consumed: readonly C[],
  outcome: 'refused' | 'accepted',
): C[] =>
  consumed.filter(({ name, count, allowed }) => {
    const { stays, isInARow } = getRateLimit(name)
    return !isInARow && stays !== 'all' && stays !== outcome && count <= allowed
  })

/** In development, a whole team and all its tests share one IP address (spec/limits#rate-limits). */
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
 * Returns the name under which an identifier is counted. Usernames and email addresses are one account in any case, and
 * so share one counter (spec/accounts#identifiers). Several spellings of a number reach the same phone.
 */
export function counterName({ type, value }: { type: string; value: string }): string {
  return type === 'phone' ? countedPhone(value) : asciiLowerCase(value)
}

type CountedNetwork = { name: string; factor: number }

/**
 * Returns the networks that share a rate limit with an address, smallest first: an IPv4 address itself, or the first
 * 64, 56 and 48 bits of an IPv6 address (RFC 6177). All unknown and invalid addresses share one counter.
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
 * Returns the largest network of an address, with the plain limit, because a customer has any number of smaller
 * networks in it.
 */
export const largestNetwork = (ip: string | undefined): CountedNetwork =>
  networkNamed(getNetworks(ip).at(-1)?.name ?? 'unknown')

/**
 * Returns the counters for a request of a flood: the smallest network, and a part of the largest one. The platform's
 * counters all have the same limit, so the largest network is split into as many parts as the multiple of that limit it
 * may use. Each request counts in one of them, selected by `draw`, from 0 to below 1. A small network that reaches its
 * own limit leaves all parts to the others.
 */
export function floodNetworks(ip: string | undefined, draw: number): string[] {
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
 * Returns the name under which all spellings of a number share a counter. Gateways ignore zeros before and after the
 * calling code. Where a zero is part of the number, no other phone has the number without it.
 */
export function countedPhone(digits: string): string {
  const international = withoutZeros(digits)
  const callingCode = getCallingCode(international)
  return callingCode + withoutZeros(international.slice(callingCode.length))
}

const withoutZeros = (digits: string) => digits.replace(/^0+/, '')

/** Returns the calling code that all spellings of a number share. */
export const countedCallingCode = (digits: string): string => getCallingCode(withoutZeros(digits))
