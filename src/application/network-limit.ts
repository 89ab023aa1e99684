import { DEFAULT_TENANT } from '../contract/product.ts'
import { refuseWith } from '../contract/refused.ts'
import { floodNetworks } from '../domain/limits.ts'
import type { Network } from '../outbound/connector-context.ts'
import type { Dependencies, FloodLimits } from './dependencies.ts'

/** The period of the bindings in wrangler.toml. */
export const PERIOD_SECONDS = 60

/** Only from the Worker's own machine, which is development. */
const LOOPBACK = /^(?:127\.|::1$)/

export type Binding = FloodLimits[keyof FloodLimits]
/** What is counted apart in one binding. */
export type Counter = '' | `${string} `

/**
 * Counts a request of a network (spec/limits#flood-limits), one of IPv6 also for the largest network that a customer may
 * have. What the smallest has used up does not count for the largest.
 */
export async function isAboveLimit(
  binding: Binding,
  ip: string | undefined,
  counter: Counter,
): Promise<boolean> {
  for (const network of floodNetworks(ip, Math.random())) {
    if (await isAbove(binding, ip, () => counter + network)) return true
  }
  return false
}

/** Nothing is counted where no limit is bound, or where the address is not known or of this machine. */
export async function isAbove(
  binding: Binding,
  ip: string | undefined,
  keyOf: () => string,
): Promise<boolean> {
  if (!binding || ip === undefined || LOOPBACK.test(ip)) return false
  const { success } = await binding.limit({ key: keyOf() })
  return !success
}

export const refuseAboveLimit = () => refuseWith('request.too_many_requests', { retryAfter: PERIOD_SECONDS })

/** Counts a read past the cache. Those of pages and of the API are counted together. */
export const isAboveFreshReads = (
  { floodLimits }: Pick<Dependencies, 'floodLimits'>,
  ip: string | undefined,
): Promise<boolean> => isAboveLimit(floodLimits.pushedRequest, ip, 'fresh ')

/**
 * How a tenant's connectors reach their providers. The mail and bucket bindings of the deployment belong to its operator,
 * so only the default tenant uses them.
 */
export function tenantNetwork({ network }: Pick<Dependencies, 'network'>, tenantId: string): Network {
  return tenantId === DEFAULT_TENANT ? network : { ...network, sendEmail: undefined, assetBucket: undefined }
}
