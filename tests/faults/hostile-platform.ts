import { AsyncLocalStorage } from 'node:async_hooks'
import type { D1Database, KVNamespace } from '@cloudflare/workers-types'
import type { Call, Fault, FaultPlan } from './fault-plan.ts'
import { hostileDatabase } from './hostile-d1.ts'
import { type KvLocations, location, openKvLocations } from './hostile-kv.ts'

type Platform = { DB: D1Database; INTERACTIONS: KVNamespace }

/** What one request may ask to meet, beyond what nobody is to notice. */
export const troubles = [
  /** The database fails. */
  'refused',
  /** The database never answers. */
  'stalled',
  /** The visitor is at a third place, where nothing of the last minute has arrived. */
  'moved',
] as const
export type Trouble = (typeof troubles)[number]

const met = new AsyncLocalStorage<Trouble | null>()

/** With everything that goes on behind the answer. */
export const meeting = <T>(trouble: Trouble | null, work: () => T): T => met.run(trouble, work)

/**
 * A bad day of the platform, on which nobody is to notice anything: KV with the caches of its places and a visitor who
 * is somewhere else with every call, and a database that fails, or loses its answer, in the middle of what the Worker
 * says again (decision record 0049). Who asks for trouble is to notice, and to be told what to do.
 */
export function hostilePlatform({ DB, INTERACTIONS }: Platform): Platform {
  const unnoticed = everyFourth()
  const plan: FaultPlan = {
    faultOf(call) {
      const trouble = met.getStore()
      return trouble === 'refused' || trouble === 'stalled' ? trouble : unnoticed(call)
    },
    onKilled() {},
    onLate() {},
  }
  const travels = location()
  return {
    DB: hostileDatabase(DB, plan),
    INTERACTIONS: contextOf(INTERACTIONS).seenFrom(() => (met.getStore() === 'moved' ? REMOTE : travels())),
  }
}

const REMOTE = 'GRU'
const ARRIVES_WITHIN = 60_000 // ms

const worlds = new WeakMap<KVNamespace, KvLocations>()

function contextOf(namespace: KVNamespace): KvLocations {
  const lagAt = (place: string) => (place === REMOTE ? ARRIVES_WITHIN : 0)
  const faulty = worlds.get(namespace) ?? openKvLocations(namespace, { lagAt })
  worlds.set(namespace, faulty)
  return faulty
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
