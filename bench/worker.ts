import type { D1Database, ExecutionContext } from '@cloudflare/workers-types'
import { Hono } from 'hono'
import type { Bindings } from '../src/bindings.ts'
import worker from '../src/worker.ts'
import { countedDatabase } from './counted-database.ts'

/**
 * The Worker as it is deployed, beside a route that does nothing and an address that tells what the database was asked
 * since the last time somebody asked here.
 */
export default { fetch: answer }

/** The same without the assets in front of it: nothing but this code is measured. */
export const Bare = { fetch: answer }

export type Counts = { awaited: number; afterwards: number; read: number; written: number; pending: number }

const empty = new Hono()
  .get('/bench/empty', (c) => c.text('empty'))
  .get('/bench/counts', (c) => c.json(taken()))
  .get('/bench/constant/:length', (c) => c.body(constant(Number(c.req.param('length')))))

/** What costs nothing but to be sent. */
function constant(length: number): Uint8Array<ArrayBuffer> {
  if (sent.length !== length) sent = new Uint8Array(length).fill(0x61)
  return sent
}
let sent = new Uint8Array()

const none: Counts = { awaited: 0, afterwards: 0, read: 0, written: 0, pending: 0 }
let counts = { ...none }
let isAnswered = false

function taken(): Counts {
  const { pending } = counts
  const told = counts
  if (pending === 0) counts = { ...none }
  return told
}

const houses = new WeakMap<D1Database, Bindings>()

function counted(env: Bindings): Bindings {
  const known = houses.get(env.DB)
  if (known) return known
  const listener = {
    trip: () => {
      if (isAnswered) counts.afterwards++
      else counts.awaited++
    },
    rows: ({ read, written }: { read: number; written: number }) => {
      counts.read += read
      counts.written += written
    },
  }
  const made = { ...env, DB: countedDatabase(env.DB, listener) }
  houses.set(env.DB, made)
  return made
}

async function answer(request: Request, env: Bindings, context: ExecutionContext): Promise<Response> {
  if (request.url.includes('/bench/')) return empty.fetch(request, env, context)
  isAnswered = false
  const response = await worker.fetch(request, counted(env), watched(context))
  isAnswered = true
  return response
}

/** So that whoever asks for the counts knows when nothing is under way any more. */
function watched(context: ExecutionContext): ExecutionContext {
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
