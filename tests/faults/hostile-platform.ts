import { AsyncLocalStorage } from 'node:async_hooks'
import type { D1Database, KVNamespace } from '@cloudflare/workers-types'
import type { Call, Fault, Ordeal } from './fault.ts'
import { hostileDatabase } from './hostile-d1.ts'
import { type KvWorld, openKvWorld, traveller } from './hostile-kv.ts'

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
  const ordeal: Ordeal = {
    faultOf(call) {
      const trouble = met.getStore()
      return trouble === 'refused' || trouble === 'stalled' ? trouble : unnoticed(call)
    },
    onKilled() {},
    onLate() {},
  }
  const travels = traveller()
  return {
    DB: hostileDatabase(DB, ordeal),
    INTERACTIONS: worldOf(INTERACTIONS).seenFrom(() => (met.getStore() === 'moved' ? REMOTE : travels())),
  }
}

const REMOTE = 'GRU'
const ARRIVES_WITHIN = 60_000 // ms

const worlds = new WeakMap<KVNamespace, KvWorld>()

function worldOf(namespace: KVNamespace): KvWorld {
  const lagAt = (place: string) => (place === REMOTE ? ARRIVES_WITHIN : 0)
  const world = worlds.get(namespace) ?? openKvWorld(namespace, { lagAt })
  worlds.set(namespace, world)
  return world
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
