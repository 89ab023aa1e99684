import { DEFAULT_TENANT } from '../contract/product.ts'
import { refuseWith } from '../contract/refused.ts'
import { floodCounterNames } from '../domain/limits.ts'
import type { Network } from '../outbound/connector-context.ts'
import type { Dependencies, FloodLimits } from './dependencies.ts'

/** The period of the rate-limit bindings in wrangler.toml. */
export const PERIOD_SECONDS = 60

/** Matches loopback addresses, which occur only in development. */
const LOOPBACK = /^(?:127\.|::1$)/

export type Binding = FloodLimits[keyof FloodLimits]
/** The prefix of a key, with which one binding counts several kinds of requests separately. */
export type Counter = '' | `${string} `

/**
 * Counts a request for its network and checks whether the network is over the limit (spec/limits#flood-limits). An IPv6
 * request is counted twice: first for the smallest network that a customer may have and, unless that one is over the
 * limit, for the largest.
 */
export async function exceedsLimit(
  binding: Binding,
  ip: string | undefined,
  counter: Counter,
): Promise<boolean> {
  for (const network of floodCounterNames(ip, Math.random())) {
    if (await exceedsBindingLimit(binding, ip, () => counter + network)) return true
  }
  return false
}

/**
 * Counts a request under one key. Does nothing if there is no binding, or if the address is unknown or a loopback
 * address.
 */
export async function exceedsBindingLimit(
  binding: Binding,
  ip: string | undefined,
  keyOf: () => string,
): Promise<boolean> {
  if (!binding || ip === undefined || LOOPBACK.test(ip)) return false
  const { success } = await binding.limit({ key: keyOf() })
  return !success
}

export const refuseTooManyRequests = () =>
  refuseWith('request.too_many_requests', { retryAfter: PERIOD_SECONDS })

/** Counts a read that bypasses the cache. Pages and the API share a counter. */
export const exceedsFreshReadLimit = (
  { floodLimits }: Pick<Dependencies, 'floodLimits'>,
  ip: string | undefined,
): Promise<boolean> => exceedsLimit(floodLimits.pushedRequest, ip, 'fresh ')

/**
 * Returns the network access with which a tenant's connectors reach their providers. Only the default tenant may use
 * the deployment's email and bucket bindings, because they belong to the deployment's operator.
 */
export function tenantNetwork({ network }: Pick<Dependencies, 'network'>, tenantId: string): Network {
  return tenantId === DEFAULT_TENANT ? network : { ...network, sendEmail: undefined, assetBucket: undefined }
}
