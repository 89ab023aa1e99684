import type { D1Database, ExecutionContext, KVNamespace } from '@cloudflare/workers-types'
import { Hono } from 'hono'
import type { Bindings } from '../src/bindings.ts'
import worker from '../src/worker.ts'
import { countedDatabase } from './counted-database.ts'

/**
 * The Worker as it is deployed, beside an empty route, a constant one, and one that answers the calls of the database since
 * its last request.
 */
export default { fetch: handle }

/** The same without the assets in front of it, so that only this code is measured. */
export const Bare = { fetch: handle }

export type StatementCounts = {
  /** Round trips to D1 that the answer waited for, and later ones. */
  awaited: number
  afterwards: number
  read: number
  written: number
  pending: number
}

/** Milliseconds before each call of a store. */
export type Delays = { d1: number; kv: number }

const empty = new Hono()
  .get('/bench/empty', (c) => c.text('empty'))
  .get('/bench/counts', (c) => c.json(takeCounts()))
  .get('/bench/delays', (c) => {
    delays = { d1: Number(c.req.query('d1')), kv: Number(c.req.query('kv')) }
    return c.body(null, 204)
  })
  .get('/bench/constant/:length', (c) => c.body(constant(Number(c.req.param('length')))))

/** A body that costs nothing but its transfer. */
function constant(length: number): Uint8Array<ArrayBuffer> {
  if (sent.length !== length) sent = new Uint8Array(length).fill(0x61)
  return sent
}
let sent = new Uint8Array()

const none: StatementCounts = { awaited: 0, afterwards: 0, read: 0, written: 0, pending: 0 }
let counts = { ...none }
let isAnswered = false
let delays: Delays = { d1: 0, kv: 0 }

const passed = (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time))

function takeCounts(): StatementCounts {
  const { pending } = counts
  const taken = counts
  if (pending === 0) counts = { ...none }
  return taken
}

const countedBindings = new WeakMap<D1Database, Bindings>()

function withCounts(env: Bindings): Bindings {
  const known = countedBindings.get(env.DB)
  if (known) return known
  const listener = {
    trip: () => {
      if (isAnswered) counts.afterwards++
      else counts.awaited++
      return delays.d1 > 0 ? passed(delays.d1) : undefined
    },
    rows: ({ read, written }: { read: number; written: number }) => {
      counts.read += read
      counts.written += written
    },
  }
  const made = {
    ...env,
    DB: countedDatabase(env.DB, listener),
    INTERACTIONS: delayedNamespace(env.INTERACTIONS),
  }
  countedBindings.set(env.DB, made)
  return made
}

function delayedNamespace(namespace: KVNamespace): KVNamespace {
  return new Proxy(namespace, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      return async (...given: unknown[]) => {
        if (delays.kv > 0) await passed(delays.kv)
        return value.apply(target, given)
      }
    },
  })
}

async function handle(request: Request, env: Bindings, context: ExecutionContext): Promise<Response> {
  if (request.url.includes('/bench/')) return empty.fetch(request, env, context)
  isAnswered = false
  const response = await worker.fetch(request, withCounts(env), withPendingCount(context))
  isAnswered = true
  return response
}

/** Counts pending work, so that a reader of the counts knows when it is done. */
function withPendingCount(context: ExecutionContext): ExecutionContext {
  return {
    waitUntil(promise: Promise<unknown>) {
      counts.pending++
      const settled = promise.finally(() => counts.pending--)
      context.waitUntil(settled)
    },
    passThroughOnException: () => context.passThroughOnException(),
    props: context.props,
  } as ExecutionContext
}
