import { AsyncLocalStorage } from 'node:async_hooks'
import type { D1Database, KVNamespace } from '@cloudflare/workers-types'
import type { Fault, FaultPlan, StoreCall } from './fault-plan.ts'
import { hostileDatabase } from './hostile-d1.ts'
import { alternatingLocation, type KvLocations, openKvLocations } from './hostile-kv.ts'

type Platform = { DB: D1Database; INTERACTIONS: KVNamespace }

/** The faults that a request can ask for in a header and that its client notices. */
export const visibleFaults = [
  /** The database fails. */
  'refused',
  /** The database never responds. */
  'stalled',
  /** The client is at a third location, which no write of the last minute has reached. */
  'moved',
] as const
export type VisibleFault = (typeof visibleFaults)[number]

type Request = { visible: VisibleFault | null; hadFault: boolean }
const current = new AsyncLocalStorage<Request>()

/**
 * Runs a request, including the work after its response, with the visible fault that the request asks for, if
 * any.
 */
export const onHostilePlatform = <T>(run: () => T, visible: VisibleFault | null = null): T =>
  current.run({ visible, hadFault: false }, run)

export type HostileOptions = {
  /** Reports whether invisible faults are currently off. */
  isCalm?: () => boolean
  /** Called for every invisible fault, while the affected call is being made. */
  onFault?: () => void
}

/**
 * Returns a platform with faults that clients do not notice. KV has a cache per location, and the client's
 * location changes with every call. Once per request, the database fails or loses a response in a call that
 * the Worker repeats (ADR-0049). Faults that clients notice occur only in requests that ask for them.
 */
export function hostilePlatform(
  { DB, INTERACTIONS }: Platform,
  { isCalm = () => false, onFault = () => {} }: HostileOptions = {},
): Platform {
  const invisibleFault = everyThird()
  const plan: FaultPlan = {
    faultOf(call) {
      const request = current.getStore()
      if (request?.visible === 'refused' || request?.visible === 'stalled') return request.visible
      if (!request || request.hadFault || isCalm()) return null
      const fault = invisibleFault(call)
      if (!fault) return null
      request.hadFault = true
      onFault()
      return fault
    },
    onKilled() {},
    onLate() {},
    givesUpAfter: GIVES_UP_AFTER,
  }
  const alternating = alternatingLocation()
  return {
    DB: hostileDatabase(DB, plan),
    INTERACTIONS: locationsOf(INTERACTIONS).seenFrom(() =>
      current.getStore()?.visible === 'moved' ? REMOTE : alternating(),
    ),
  }
}

/**
 * The deadline in milliseconds that replaces the Worker's five seconds. Only exhaustive runs of the other
 * fault tests wait five seconds.
 */
const GIVES_UP_AFTER = 200

const REMOTE = 'GRU'
const ARRIVES_WITHIN = 60_000 // ms

const knownLocations = new WeakMap<KVNamespace, KvLocations>()

function locationsOf(namespace: KVNamespace): KvLocations {
  const lagAt = (place: string) => (place === REMOTE ? ARRIVES_WITHIN : 0)
  const locations = knownLocations.get(namespace) ?? openKvLocations(namespace, { lagAt })
  knownLocations.set(namespace, locations)
  return locations
}

/** Returns a plan in which every third write that the Worker repeats has a fault. */
function everyThird(): (call: StoreCall) => Fault | null {
  let writes = 0
  return (call) => {
    if (!isRepeated(call) || ++writes % 3 !== 0) return null
    return writes % 6 === 0 ? 'refused' : 'lost'
  }
}

/**
 * Matches the statements that conclude an interaction, the provider's writes, and claims of single-use
 * values. The insertion of an interaction's row ("do nothing" on any conflict) is excluded, because its batch
 * is not repeated if it counts an attempt.
 */
const repeated =
  /json_set\([^,]+, '\$\.result'|(?:^|; )insert into "oidc_model_instances"(?![^;]* on conflict do nothing)|"consumed_by" = \?/

const isRepeated = ({ isRead, what }: StoreCall) => !isRead && repeated.test(what)
