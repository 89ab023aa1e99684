/** Rate limits (spec/accounts#rate-limits). */
import ipaddr from 'ipaddr.js'
import { type Refusal, refuse } from '../contract/errors.ts'
import { getCallingCode } from '../contract/interactions/phone-numbers.ts'
import { getRateLimit, type Limit, NETWORK_LEVELS, type RateLimitName } from '../contract/rate-limits.ts'
import { asciiLowerCase } from './interactions/accounts.ts'

/** A counter after one more use. Above `allowed` it refuses, until `lockedUntil` (epoch milliseconds). */
export type ConsumedAttempt = {
  name: RateLimitName
  count: number
  allowed: number
  lockedUntil: number | null
}

/** The refusal of the first counter that refuses. Counters behind it were not consumed and are not given. */
export function refusesAttempts(consumed: readonly ConsumedAttempt[], now: number): Refusal | null {
  const refusing = consumed.find(({ count, allowed }) => count > allowed)
  if (!refusing) return null
  // No end is named: a password reset or a trusted browser is the way on (spec/accounts#failures-in-a-row).
  if (getRateLimit(refusing.name).isInARow) return refuse('session.password_locked')
  const left = (refusing.lockedUntil ?? now) - now
  return refuse('request.too_many_requests', { retryAfter: Math.max(1, Math.ceil(left / 1000)) })
}

/**
 * Of attempts that were consumed in advance: those that do not stay counted after this outcome. Failures in a row are not
 * refunded one by one but cleared (spec/accounts#failures-in-a-row).
 */
export const refundableAttempts = <C extends ConsumedAttempt>(
  consumed: readonly C[],
  outcome: 'refused' | 'accepted',
): C[] =>
  consumed.filter(({ name, count, allowed }) => {
    const { stays, isInARow } = getRateLimit(name)
    return !isInARow && stays !== 'all' && stays !== outcome && count <= allowed
  })

/** In development a whole team and all its tests have one address (spec/limits#rate-limits). */
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
 * A username or an e-mail address in any case is one account, and so one counter (spec/accounts#identifiers). Several
 * spellings of a number reach one phone.
 */
export function rateLimitName({ type, value }: { type: string; value: string }): string {
  return type === 'phone' ? countedPhone(value) : asciiLowerCase(value)
}

type CountedNetwork = { name: string; factor: number }

/**
 * Who shares a rate limit, the smallest network first: an IPv4 address, or 64, 56 and 48 bits of an IPv6 address (RFC
 * 6177). All that is no address, or is not known, shares one.
 */
export function networksOf(ip: string | undefined): CountedNetwork[] {
  const text = (ip ?? '').trim()
  if (!ipaddr.IPv6.isValid(text) && !ipaddr.IPv4.isValidFourPartDecimal(text)) return [only('unknown')]
  const address = ipaddr.process(text)
  if (!('parts' in address)) return [only(address.toString())]
  return NETWORK_LEVELS.map(({ prefix, factor }) => ({ name: prefixOf(address.parts, prefix), factor }))
}

/** Returns the largest network of an address, with the plain limit: a customer has any number of smaller networks in it. */
export const largestNetwork = (ip: string | undefined): CountedNetwork =>
  only(networksOf(ip).at(-1)?.name ?? 'unknown')

/**
 * Under what a request of a flood is counted: the smallest of them, and a part of the largest. The counters of the platform
 * have one limit, so the largest has as many parts as it may have times that limit, and each request counts in one of them:
 * `draw`, from 0 to below 1, says in which. A small network that reaches its own limit leaves all parts to the others.
 */
export function floodNetworks(ip: string | undefined, draw: number): string[] {
  const [smallest = only('unknown'), ...larger] = networksOf(ip)
  const largest = larger.at(-1)
  return [smallest.name, ...(largest ? [`${largest.name} ${Math.floor(draw * largest.factor)}`] : [])]
}

const only = (name: string): CountedNetwork => ({ name, factor: 1 })

const GROUP_BITS = 16

function prefixOf(groups: readonly number[], bits: number): string {
  const prefix = groups.slice(0, Math.ceil(bits / GROUP_BITS)).map((group, index) => {
    const dropped = Math.max(0, (index + 1) * GROUP_BITS - bits)
    return ((group >> dropped) << dropped).toString(16)
  })
  return `${prefix.join(':')}::/${bits}`
}

/**
 * The name under which all spellings of a number share a counter. Gateways ignore zeros in front of the calling code and
 * behind it; where one belongs to the number, no other phone has the number without it.
 */
export function countedPhone(digits: string): string {
  const international = withoutZeros(digits)
  const callingCode = getCallingCode(international)
  return callingCode + withoutZeros(international.slice(callingCode.length))
}

const withoutZeros = (digits: string) => digits.replace(/^0+/, '')

/** The calling code that all spellings of a number share. */
export const countedCallingCode = (digits: string): string => getCallingCode(withoutZeros(digits))
