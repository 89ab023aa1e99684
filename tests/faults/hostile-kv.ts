import type { KVNamespace, KVNamespacePutOptions } from '@cloudflare/workers-types'
import { callWithFault, type FaultPlan } from './fault-plan.ts'

/** The documented limits of KV that the local KV does not enforce. */
const CACHED = 60_000 // ms; KV also caches misses
const BETWEEN_WRITES = 1_000 // ms between writes to one key
const MAX_KEY_LENGTH = 512 // bytes
const MIN_TTL = 60 // seconds

/** The locations of the Worker, each with a cache. All clients of a namespace share these locations. */
export type KvLocations = {
  namespace: KVNamespace
  /**
   * Returns the namespace as one location sees it. `where` is called for every operation, because a client
   * may change its location.
   */
  seenFrom(where: () => string, plan?: FaultPlan): KVNamespace
}

type Written = { by: string; at: number }
type Cached = { value: string | null; at: number }

const noFaults: FaultPlan = { faultOf: () => null, onKilled() {}, onLate() {} }

/**
 * Opens the locations of a namespace. `lagAt` returns the time in milliseconds until a location sees writes
 * from other locations, even to keys that it has not cached.
 */
export function openKvLocations(
  namespace: KVNamespace,
  { now = Date.now, lagAt = () => 0 }: { now?: () => number; lagAt?: (place: string) => number } = {},
): KvLocations {
  const places = new Map<string, Map<string, Cached>>()
  const writes = new Map<string, Written>()

  const memoryOf = (place: string) => {
    const memory = places.get(place) ?? new Map<string, Cached>()
    places.set(place, memory)
    return memory
  }

  async function get(place: string, key: string): Promise<string | null> {
    refuseLongKey('GET', key)
    const memory = memoryOf(place)
    const cached = memory.get(key)
    if (cached && now() - cached.at < CACHED) return cached.value
    const written = writes.get(key)
    const isOnItsWay = written && written.by !== place && now() - written.at < lagAt(place)
    const value = isOnItsWay ? null : await namespace.get(key)
    memory.set(key, { value, at: now() })
    return value
  }

  async function put(place: string, key: string, value: string, options: KVNamespacePutOptions = {}) {
    refuseLongKey('PUT', key)
    const { expirationTtl = MIN_TTL } = options
    if (expirationTtl < MIN_TTL)
      throw new Error(
        `KV PUT failed: 400 Invalid expiration_ttl of ${expirationTtl}. Expiration TTL must be at least ${MIN_TTL}.`,
      )
    refuseSecondWrite('PUT', key)
    writes.set(key, { by: place, at: now() })
    await namespace.put(key, value, options)
    memoryOf(place).set(key, { value, at: now() })
  }

  async function remove(place: string, key: string): Promise<void> {
    refuseLongKey('DELETE', key)
    refuseSecondWrite('DELETE', key)
    writes.set(key, { by: place, at: now() })
    await namespace.delete(key)
    memoryOf(place).set(key, { value: null, at: now() })
  }

  function refuseSecondWrite(method: string, key: string): void {
    const before = writes.get(key)
    if (before && now() - before.at < BETWEEN_WRITES)
      throw new Error(`KV ${method} failed: 429 Too Many Requests`)
  }

  return {
    namespace,
    seenFrom(where, plan = noFaults) {
      const make = <T>(method: string, key: string, call: () => Promise<T>): Promise<T> => {
        const fault = plan.faultOf({
          store: 'KV',
          isRead: method === 'GET',
          isBatch: false,
          what: `${method} ${key}`,
        })
        const broken = () => new Error(`KV ${method} failed: 500 Internal Server Error`)
        return callWithFault(fault, plan, { store: 'KV', call, broken })
      }
      // The proxy implements only the methods that the Worker uses.
      const calls = {
        get: (key: string) => make('GET', key, () => get(where(), key)),
        put: (key: string, value: string, options?: KVNamespacePutOptions) =>
          make('PUT', key, () => put(where(), key, value, options)),
        list: (options: { prefix?: string; limit?: number }) =>
          make('LIST', options.prefix ?? '', () => namespace.list(options)),
        delete: (key: string) => make('DELETE', key, () => remove(where(), key)),
      }
      return new Proxy(namespace, {
        get(_target, property) {
          if (Object.hasOwn(calls, property)) return Reflect.get(calls, property)
          throw new Error(`The hostile KV does not know ${String(property)}`)
        },
      })
    },
  }
}

function refuseLongKey(method: string, key: string): void {
  const { length } = new TextEncoder().encode(key)
  if (length > MAX_KEY_LENGTH)
    throw new Error(
      `KV ${method} failed: 414 UTF-8 encoded length of ${length} exceeds key length limit of ${MAX_KEY_LENGTH}.`,
    )
}

/** Returns a function that chooses a location for a client that moves with every call. */
export function alternatingLocation(): () => string {
  let calls = 0
  return () => (calls++ % 2 === 0 ? 'FRA' : 'SIN')
}
