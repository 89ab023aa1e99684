import { AsyncLocalStorage } from 'node:async_hooks'
import type { D1Database, KVNamespace } from '@cloudflare/workers-types'
import type { Call, Fault, FaultPlan } from './fault-plan.ts'
import { hostileDatabase } from './hostile-d1.ts'
import { type KvLocations, location, openKvLocations } from './hostile-kv.ts'

type Platform = { DB: D1Database; INTERACTIONS: KVNamespace }

/** A visible fault that one request asks for. */
export const visibleFaults = [
  /** The database fails. */
  'refused',
  /** The database never answers. */
  'stalled',
  /** The client is at a third location, where nothing of the last minute has arrived. */
  'moved',
] as const
export type VisibleFault = (typeof visibleFaults)[number]

const requested = new AsyncLocalStorage<VisibleFault | null>()

/** Includes the work that goes on after the answer. */
export const withVisibleFault = <T>(fault: VisibleFault | null, work: () => T): T =>
  requested.run(fault, work)

export type HostileOptions = {
  /** True while no invisible fault may happen. */
  isCalm?: () => boolean
  /** Called for every invisible fault, in the middle of the call that has it. */
  onFault?: () => void
}

/**
 * A platform with faults that no client notices: KV with a cache per location and a client that is at another location
 * with every call, and a database that fails, or loses its answer, where the Worker repeats the call (ADR-0049). Only a
 * request that asks for a visible fault gets one.
 */
export function hostilePlatform(
  { DB, INTERACTIONS }: Platform,
  { isCalm = () => false, onFault = () => {} }: HostileOptions = {},
): Platform {
  const invisibleFault = everyFourth()
  const plan: FaultPlan = {
    faultOf(call) {
      const visible = requested.getStore()
      if (visible === 'refused' || visible === 'stalled') return visible
      const fault = isCalm() ? null : invisibleFault(call)
      if (fault) onFault()
      return fault
    },
    onKilled() {},
    onLate() {},
  }
  const alternating = location()
  return {
    DB: hostileDatabase(DB, plan),
    INTERACTIONS: locationsOf(INTERACTIONS).seenFrom(() =>
      requested.getStore() === 'moved' ? REMOTE : alternating(),
    ),
  }
}

const REMOTE = 'GRU'
const ARRIVES_WITHIN = 60_000 // ms

const known = new WeakMap<KVNamespace, KvLocations>()

function locationsOf(namespace: KVNamespace): KvLocations {
  const lagAt = (place: string) => (place === REMOTE ? ARRIVES_WITHIN : 0)
  const locations = known.get(namespace) ?? openKvLocations(namespace, { lagAt })
  known.set(namespace, locations)
  return locations
}

/** Of the batches that are repeated. Not more often: two requests at a time must not meet each other's repeats. */
function everyFourth(): (call: Call) => Fault | null {
  let batches = 0
  return (call) => {
    if (!isRepeated(call) || ++batches % 4 !== 0) return null
    return batches % 8 === 0 ? 'refused' : 'lost'
  }
}

/** The conclusion of an interaction, and what a request to the provider writes. */
const isRepeated = ({ isRead, what }: Call) =>
  !isRead &&
  /json_set\([^,]+, '\$\.result'|^insert into "oidc_model_instances"|; insert into "oidc_model_instances"/.test(
    what,
  )
