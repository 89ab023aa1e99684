/** Rate limits (spec/accounts#rate-limits). */
import ipaddr from 'ipaddr.js'
import { type Refusal, refuse } from '../contract/errors.ts'
import type { Limit } from '../contract/settings.ts'
import { withoutCase } from './accounts.ts'

/** A counter after one more use. Above the limit's count it refuses, until `lockedUntil` (epoch milliseconds). */
export type Consumed = { count: number; lockedUntil: number | null }

/** Undefined where nothing was consumed, because another limit had refused already: the refusal is that limit's. */
export function refusesConsumption(
  consumed: Consumed | undefined,
  { count }: Limit,
  now: number,
): Refusal | null {
  if (!consumed || consumed.count <= count) return null
  const left = (consumed.lockedUntil ?? now) - now
  return refuse('request.too_many_requests', { retryAfter: Math.max(1, Math.ceil(left / 1000)) })
}

/** In development a whole team and all its tests have one address (spec/limits#rate-limits). */
const DEVELOPMENT_FACTOR = 100

export const limitPerNetwork = ({ count, windowSeconds }: Limit, environment: string): Limit => ({
  count: environment === 'development' ? count * DEVELOPMENT_FACTOR : count,
  windowSeconds,
})

/** A username or an e-mail address in any case is one account, and so one counter (spec/accounts#identifiers). */
export function rateLimitName({ type, value }: { type: string; value: string }): string {
  return type === 'phone' ? value : withoutCase(value)
}

/**
 * Who shares a rate limit: an IPv4 address, or 64 bits of an IPv6 address, which are what one home or server has
 * (RFC 6177). All that is no address, or is not known, shares one.
 */
export function networkOf(ip: string | undefined): string {
  const text = (ip ?? '').trim()
  if (!ipaddr.IPv6.isValid(text) && !ipaddr.IPv4.isValidFourPartDecimal(text)) return 'unknown'
  const address = ipaddr.process(text)
  if (!('parts' in address)) return address.toString()
  return `${address.parts.slice(0, NETWORK_GROUPS).map(toHex).join(':')}::/64`
}

/** Of 16 bits each. */
const NETWORK_GROUPS = 4

const toHex = (group: number) => group.toString(16)
