import type { D1Database, ExecutionContext, KVNamespace } from '@cloudflare/workers-types'
import { Hono } from 'hono'
import type { Bindings } from '../src/bindings.ts'
import worker from '../src/worker.ts'
import { countedDatabase, type SentStatement } from './counted-database.ts'

/**
 * The deployed Worker with additional routes: an empty one, a constant one, one that returns the number of database
 * calls since it was last requested, and one that returns their statements.
 */
export default { fetch: handle }

/** The same Worker without the asset handling in front of it, so that only our code is measured. */
export const Bare = { fetch: handle }

export type StatementCounts = {
  /** The round trips to D1 before and after the response. */
  awaited: number
  afterwards: number
  read: number
  written: number
  pending: number
}

/** The delay in milliseconds before each call to a store. */
export type Delays = { d1: number; kv: number }

const empty = new Hono()
  .get('/bench/empty', (c) => c.text('empty'))
  .get('/bench/counts', (c) => c.json(takeCounts()))
  .get('/bench/statements', (c) => {
    const recorded = batches
    batches = []
    return c.json(recorded)
  })
  .get('/bench/delays', (c) => {
    delays = { d1: Number(c.req.query('d1')), kv: Number(c.req.query('kv')) }
    return c.body(null, 204)
  })
  .get('/bench/constant/:length', (c) => c.body(constant(Number(c.req.param('length')))))

/** Returns a body that costs nothing to produce, only to transfer. */
function constant(length: number): Uint8Array<ArrayBuffer> {
  if (constantBody.length !== length) constantBody = new Uint8Array(length).fill(0x61)
  return constantBody
}
let constantBody = new Uint8Array()

const NO_CALLS: StatementCounts = { awaited: 0, afterwards: 0, read: 0, written: 0, pending: 0 }
let counts = { ...NO_CALLS }
/** The statements of each round trip since they were last requested, newest last. */
let batches: (readonly SentStatement[])[] = []
const MAX_BATCHES = 100
let hasResponded = false
let delays: Delays = { d1: 0, kv: 0 }

const delay = (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time))

function takeCounts(): StatementCounts {
  const { pending } = counts
  const result = counts
  if (pending === 0) counts = { ...NO_CALLS }
  return result
}

const countedBindings = new WeakMap<D1Database, Bindings>()

function withCounts(env: Bindings): Bindings {
  const cached = countedBindings.get(env.DB)
  if (cached) return cached
  const listener = {
    trip: () => {
      if (hasResponded) counts.afterwards++
      else counts.awaited++
      return delays.d1 > 0 ? delay(delays.d1) : undefined
    },
    statements: (statements: readonly SentStatement[]) => {
      batches = [...batches.slice(-MAX_BATCHES), statements]
    },
    rows: ({ read, written }: { read: number; written: number }) => {
      counts.read += read
      counts.written += written
    },
  }
  const bindings = {
    ...env,
    DB: countedDatabase(env.DB, listener),
    INTERACTIONS: delayedNamespace(env.INTERACTIONS),
  }
  countedBindings.set(env.DB, bindings)
  return bindings
}

function delayedNamespace(namespace: KVNamespace): KVNamespace {
  return new Proxy(namespace, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      return async (...args: unknown[]) => {
        if (delays.kv > 0) await delay(delays.kv)
        return value.apply(target, args)
      }
    },
  })
}

async function handle(request: Request, env: Bindings, context: ExecutionContext): Promise<Response> {
  if (request.url.includes('/bench/')) return empty.fetch(request, env, context)
  hasResponded = false
  const response = await worker.fetch(request, withCounts(env), withPendingCount(context))
  hasResponded = true
  return response
}

/** Counts pending work, so that whoever reads the counts can wait until it is done. */
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
