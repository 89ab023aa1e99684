import { AsyncLocalStorage } from 'node:async_hooks'
import type { D1Database, KVNamespace } from '@cloudflare/workers-types'
import type { Fault, FaultPlan, StoreCall } from './fault-plan.ts'
import { hostileDatabase } from './hostile-d1.ts'
import { alternatingLocation, type KvLocations, openKvLocations } from './hostile-kv.ts'

type Platform = { DB: D1Database; INTERACTIONS: KVNamespace }

/** The faults that a request can ask for and that its client notices. */
export const visibleFaults = [
  /** The database fails. */
  'refused',
  /** The database never responds. */
  'stalled',
  /** The client is at a third location, where nothing from the last minute has arrived. */
  'moved',
] as const
export type VisibleFault = (typeof visibleFaults)[number]

type Request = { visible: VisibleFault | null; hadFault: boolean }
const current = new AsyncLocalStorage<Request>()

/** Runs a request, and the work that continues after its response, with the visible fault that it asks for, if any. */
export const onHostilePlatform = <T>(run: () => T, visible: VisibleFault | null = null): T =>
  current.run({ visible, hadFault: false }, run)

export type HostileOptions = {
  /** Returns true while no invisible fault may happen. */
  isCalm?: () => boolean
  /** Called for every invisible fault, in the middle of the call that fails. */
  onFault?: () => void
}

/**
 * Returns a platform with faults that no client notices. KV has a cache per location, and the client changes its
 * location with every call. The database fails, or loses its response, where the Worker repeats the call (ADR-0049),
 * once per request. Only a request that asks for a visible fault gets one.
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
 * Replaces the five seconds of the Worker, for which only the exhaustive run of the other tests here waits. In
 * milliseconds.
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

/** Breaks every third of the writes that are repeated. */
function everyThird(): (call: StoreCall) => Fault | null {
  let writes = 0
  return (call) => {
    if (!isRepeated(call) || ++writes % 3 !== 0) return null
    return writes % 6 === 0 ? 'refused' : 'lost'
  }
}

/**
 * Matches the conclusion of an interaction, and what a request to the provider writes and uses up. The first call of an
 * interaction also writes its row ("do nothing" on any conflict), but it is not repeated if it counts an attempt.
 */
const repeated =
  /json_set\([^,]+, '\$\.result'|(?:^|; )insert into "oidc_model_instances"(?![^;]* on conflict do nothing)|"consumed_by" = \?/

const isRepeated = ({ isRead, what }: StoreCall) => !isRead && repeated.test(what)
