import { env } from 'cloudflare:workers'
import { type CookieClient, newCookieClient, ORIGIN } from '../kit/clients/cookie-client.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import type { Fault, FaultPlan, StoreCall } from './fault-plan.ts'
import { hostileDatabase } from './hostile-d1.ts'
import { alternatingLocation, openKvLocations } from './hostile-kv.ts'

/** The only fault of a use case: its kind, and the index of the call in which it occurs. */
export type PlannedFault = { at: number; fault: Fault }

/**
 * The environment of a use case: a Worker that may be replaced while the use case runs, and a client that
 * outlives the Worker.
 */
export type FaultyApp = {
  /**
   * Sends requests to the current isolate. If the isolate is terminated, the response has the status `ISOLATE_ENDED`.
   */
  app: TestApp
  client: CookieClient
  /** The calls that the Worker has made to the stores. */
  calls: StoreCall[]
  plannedFault: PlannedFault | null
  /** The point at which the fault occurred, before or after a response, or null if no fault has occurred. */
  faultAt: 'before' | 'after' | null
  /** Descriptions of responses that violate their specification. */
  complaints: string[]
  /** The status of every response, in order. */
  answers: number[]
  /** The `code` of every error response, in order. */
  refusals: string[]
  /** Resolves when all late calls have taken effect. */
  rest(): Promise<void>
}

/** The deadline in milliseconds that replaces the Worker's five seconds, except in the exhaustive run. */
const GIVES_UP_AFTER = 200

/** The status with which Cloudflare's edge responds when a Worker is terminated. */
export const ISOLATE_ENDED = 520

/** Opens a new isolate, whose caches of settings, keys and applications are empty. */
export function openFaultyApp(plannedFault: PlannedFault | null = null): FaultyApp {
  const kv = openKvLocations(env.INTERACTIONS)
  const calls: StoreCall[] = []
  let late: Promise<unknown> = Promise.resolve()
  let die: () => void = () => {}
  let current: { app: TestApp; death: Promise<'killed'> }
  let isAnswered = false

  const plan = (): FaultPlan => {
    let isDead = false
    return {
      faultOf(call) {
        // A terminated isolate makes no further calls.
        if (isDead) return 'ended'
        calls.push(call)
        if (plannedFault === null || calls.length - 1 !== plannedFault.at) return null
        faulty.faultAt = isAnswered ? 'after' : 'before'
        return plannedFault.fault
      },
      onKilled() {
        isDead = true
        die()
      },
      onLate(done) {
        late = done
      },
      ...(!env.TEST_SWEEP.isExhaustive && { givesUpAfter: GIVES_UP_AFTER }),
    }
  }

  function open() {
    const faultPlan = plan()
    const death = new Promise<'killed'>((resolve) => {
      die = () => resolve('killed')
    })
    const app = openTestApp({
      DB: hostileDatabase(env.DB, faultPlan),
      INTERACTIONS: kv.seenFrom(alternatingLocation(), faultPlan),
    })
    return { app, death }
  }
  current = open()

  const ask: TestApp['answer'] = async (path, init) => {
    isAnswered = false
    const before = faulty.faultAt
    const { app, death } = current
    const outcome = await Promise.race([app.answer(path, init), death])
    if (outcome === 'killed') {
      current = open()
      return {
        response: Response.json({ code: 'gone' }, { status: ISOLATE_ENDED }),
        settled: Promise.resolve(),
      }
    }
    isAnswered = true
    const { response, settled } = outcome
    faulty.answers.push(response.status)
    await check(path, init, response, faulty.faultAt !== before)
    return {
      response,
      settled: Promise.race([settled, death]).then((end) => end === 'killed' && renew()) as Promise<void>,
    }
  }
  const renew = () => {
    current = open()
  }

  /** Checks a response. A request may fail only with a 503 and only if one of its calls had a fault. */
  async function check(path: string, init: RequestInit | undefined, response: Response, hadFault: boolean) {
    const { status, headers } = response
    const type = headers.get('content-type') ?? ''
    const body = status >= 400 && type.includes('json') ? ((await response.clone().json()) as Body) : {}
    const name = body.code ?? body.error
    if (status >= 400 && name && status < 500) faulty.refusals.push(name)
    const toApplication = new URL(headers.get('location') ?? '/', ORIGIN).searchParams.get('error')
    if (toApplication) faulty.refusals.push(toApplication)
    if (status < 500) return
    const isSpecified =
      status === 503 &&
      headers.get('retry-after') === '1' &&
      (name === 'server.unavailable' ||
        (path.startsWith('/oidc/') && name === 'temporarily_unavailable') ||
        type.includes('text/html'))
    if (!hadFault || !isSpecified)
      faulty.complaints.push(
        `${init?.method ?? 'GET'} ${path.split('?')[0]} answered ${status} ${name ?? type}`,
      )
  }

  const app: TestApp = {
    ...current.app,
    answer: ask,
    async fetch(path, init) {
      const { response, settled } = await ask(path, init)
      await settled
      return response
    },
    sweep: () => current.app.sweep(),
  }
  const faulty: FaultyApp = {
    app,
    client: newCookieClient(app),
    calls,
    plannedFault,
    faultAt: null,
    complaints: [],
    answers: [],
    refusals: [],
    rest: async () => {
      await late
    },
  }
  return faulty
}

type Body = { code?: string; error?: string }
