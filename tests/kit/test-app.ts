import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'
import type { Bindings } from '../../src/bindings.ts'
import worker from '../../src/worker.ts'
import { hostilePlatform } from '../faults/hostile-platform.ts'
import { ORIGIN } from './cookie-client.ts'

/** The Worker as it is deployed, with its own memory, and a count of what it asks the database. */
export type TestApp = {
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** The same without waiting for what goes on behind the answer. */
  answer(path: string, init?: RequestInit): Promise<{ response: Response; settled: Promise<void> }>
  /** Round trips to D1 since the last call of this function: those an answer waited for, and those after it. */
  trips(): { awaited: number; afterwards: number }
  /** From now on every call of the database runs this first; it may throw. */
  beforeEachTrip(run: (() => void) | null): void
  /** What the schedule starts every minute. */
  sweep(): Promise<void>
  env: Bindings
}

export function openTestApp(overrides: Partial<Bindings> = {}): TestApp {
  let awaited = 0
  let afterwards = 0
  let answered = false
  let before: (() => void) | null = null
  const count = () => {
    if (answered) afterwards++
    else awaited++
    before?.()
  }

  const platform = env.TEST_HOSTILE ? hostilePlatform(env) : env
  const { INTERACTIONS } = platform
  const bindings: Bindings = { ...env, INTERACTIONS, DB: counting(platform.DB, count), ...overrides }
  const answer: TestApp['answer'] = async (path, init) => {
    answered = false
    const context = createExecutionContext()
    const request = new Request(new URL(path, ORIGIN), { redirect: 'manual', ...init })
    const response = await worker.fetch(request, bindings, context)
    answered = true
    return { response, settled: waitOnExecutionContext(context) }
  }
  return {
    env: bindings,
    answer,
    async fetch(path, init) {
      const { response, settled } = await answer(path, init)
      await settled
      return response
    },
    trips() {
      const counted = { awaited, afterwards }
      awaited = 0
      afterwards = 0
      return counted
    },
    beforeEachTrip(run) {
      before = run
    },
    sweep: () => worker.scheduled({ scheduledTime: Date.now(), cron: '* * * * *', noRetry() {} }, bindings),
  }
}

/** The same Worker, asked at another of its hosts. */
export const at = (app: TestApp, origin: string): TestApp => ({
  ...app,
  answer: (path, init) => app.answer(new URL(path, origin).href, init),
  fetch: (path, init) => app.fetch(new URL(path, origin).href, init),
})

const statementCalls = ['all', 'run', 'first', 'raw'] as const

/** Hands every call on to the real database: a batch is one trip, and so is a statement run by itself. */
function counting(database: D1Database, count: () => void): D1Database {
  const counted = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, property) {
        const value: unknown = Reflect.get(target, property)
        if (property === 'bind') return (...values: unknown[]) => counted(target.bind(...values))
        if (typeof value !== 'function') return value
        if (!statementCalls.some((name) => name === property)) return value.bind(target)
        return (...given: unknown[]) => {
          count()
          return value.apply(target, given)
        }
      },
    })

  return new Proxy(database, {
    get(target, property) {
      if (property === 'prepare') {
        return (query: string) => counted(target.prepare(query))
      }
      if (property === 'batch') {
        return (statements: D1PreparedStatement[]) => {
          count()
          return target.batch(statements)
        }
      }
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
