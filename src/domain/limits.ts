/** How much of something is too much (decision 16). */
import { type Refusal, refuse } from '../contract/errors.ts'
import type { Limit, Limits } from '../contract/settings.ts'
import { withoutCase } from './accounts.ts'

/** A counter after it was charged. Above the limit's count it says no; `lockedUntil` (epoch milliseconds) says until when. */
export type Consumed = { count: number; lockedUntil: number | null }

/** Nothing was charged when another limit had refused already: that one speaks. */
export function refusesConsumption(
  consumed: Consumed | undefined,
  { count }: Limit,
  now: number,
): Refusal | null {
  if (!consumed || consumed.count <= count) return null
  const left = (consumed.lockedUntil ?? now) - now
  return refuse('request.too_many_requests', { retryAfter: Math.max(1, Math.ceil(left / 1000)) })
}

/** A developer's whole team and all its tests come from one address (decision 16). */
const DEVELOPMENT_FACTOR = 100

export const networkLimit = ({ codeSendsPerNetwork }: Limits, environment: string): Limit =>
  ofNetwork(codeSendsPerNetwork, environment)

export const ofNetwork = ({ count, windowSeconds }: Limit, environment: string): Limit => ({
  count: environment === 'development' ? count * DEVELOPMENT_FACTOR : count,
  windowSeconds,
})

/** An e-mail address in any case is one mailbox, as it is one account (decision 14). */
export function normalised({ type, value }: { type: string; value: string }): string {
  return type === 'email' ? withoutCase(value) : value
}

/**
 * Who shares an allowance: an IPv4 address, but 64 bits of an IPv6 address, as one household or one server owns as
 * many (RFC 6177). What is no address, or is not known, shares one.
 */
export function networkOf(ip: string | undefined): string {
  const address = (ip ?? '').trim().toLowerCase().split('%', 1)[0] ?? ''
  const mapped = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/.exec(address)?.[1]
  if (mapped) return mapped
  const groups = groupsOf(address)
  return groups ? `${groups.slice(0, 4).join(':')}::/64` : 'unknown'
}

const GROUPS = 8

/** The sixteen-bit groups of an IPv6 address, `::` written out; null when it is none. */
function groupsOf(address: string): string[] | null {
  const [head = '', tail, ...more] = address.split('::')
  const front = head ? head.split(':') : []
  const back = tail ? tail.split(':') : []
  const zeros = GROUPS - front.length - back.length
  if (more.length > 0 || (tail === undefined ? zeros !== 0 : zeros < 1)) return null
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back]
  if (!groups.every((group) => /^[\da-f]{1,4}$/.test(group))) return null
  return groups.map((group) => Number.parseInt(group, 16).toString(16))
}
