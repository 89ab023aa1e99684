import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { countedDatabase } from '../../bench/counted-database.ts'
import type { Bindings } from '../../src/bindings.ts'
import { settingsCache } from '../../src/storage/cache.ts'
import worker from '../../src/worker.ts'
import { hostilePlatform, onHostilePlatform } from '../faults/hostile-platform.ts'
import { ORIGIN, PRODUCTION_ORIGIN } from './clients/cookie-client.ts'

/** Cached settings never expire in tests, so that tests do not depend on timing. */
settingsCache.maxAgeMs = Number.POSITIVE_INFINITY

/** The Worker as it is deployed, with separate caches and a count of its calls to the database. */
export type TestApp = {
  /** The origin to which paths are relative. */
  origin: string
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Sends a request without waiting for the work that continues after the response. */
  answer(path: string, init?: RequestInit): Promise<{ response: Response; settled: Promise<void> }>
  /**
   * Returns the number of D1 round trips since the last call of this function, divided into those that a
   * response waited for and those after the response.
   */
  trips(): { awaited: number; afterwards: number }
  /** Runs a function before every call to the database from now on. If the function throws, the call fails. */
  beforeEachTrip(run: (() => void) | null): void
  /** Runs the scheduled maintenance. */
  sweep(): Promise<void>
  env: Bindings
}

/**
 * Opens an app on a hostile platform: KV returns outdated values, and D1 fails where the Worker retries the
 * call. Clients never notice (docs/operations/faults.md), and a retried call is counted as one round trip.
 * Work that follows a retried write may be left to the scheduled maintenance, so tests that expect its effect
 * immediately request a calm database.
 */
export function openTestApp(
  overrides: Partial<Bindings> = {},
  { hasCalmDatabase = false }: { hasCalmDatabase?: boolean } = {},
): TestApp {
  const trips = { awaited: 0, afterwards: 0 }
  let answered = false
  let before: (() => void) | null = null
  const count = (by: 1 | -1) => {
    trips[answered ? 'afterwards' : 'awaited'] += by
  }

  const { DB, INTERACTIONS } = hostilePlatform(env, {
    // If a test itself makes calls fail, no other faults are added.
    isCalm: () => hasCalmDatabase || before !== null,
    onFault: () => count(-1),
  })
  const trip = () => {
    count(1)
    before?.()
  }
  // In production, the Worker responds only on configured hosts and only over https.
  const isProduction = overrides.ENVIRONMENT === 'production'
  const origin = isProduction ? PRODUCTION_ORIGIN : ORIGIN
  const bindings: Bindings = {
    ...env,
    INTERACTIONS,
    DB: countedDatabase(DB, { trip }),
    ...(isProduction && { HOSTS: new URL(origin).host }),
    ...overrides,
  }
  const answer: TestApp['answer'] = async (path, init) => {
    answered = false
    const context = createExecutionContext()
    const request = new Request(new URL(path, origin), { redirect: 'manual', ...init })
    const response = await onHostilePlatform(() => worker.fetch(request, bindings, context))
    answered = true
    return { response, settled: waitOnExecutionContext(context) }
  }
  return {
    origin,
    env: bindings,
    answer,
    async fetch(path, init) {
      const { response, settled } = await answer(path, init)
      await settled
      await expectReason(response)
      return response
    },
    trips() {
      const counts = { ...trips }
      Object.assign(trips, { awaited: 0, afterwards: 0 })
      return counts
    },
    beforeEachTrip(run) {
      before = run
    },
    sweep: () => worker.scheduled({ scheduledTime: Date.now(), cron: '* * * * *', noRetry() {} }, bindings),
  }
}

/** Returns the same Worker at another of its hosts. */
export const atOrigin = (app: TestApp, origin: string): TestApp => ({
  ...app,
  origin,
  answer: (path, init) => app.answer(new URL(path, origin).href, init),
  fetch: (path, init) => app.fetch(new URL(path, origin).href, init),
})

/** Checks that an error response explains the error to its caller: none of its texts may be empty. */
async function expectReason(response: Response): Promise<void> {
  if (response.ok || !response.headers.get('content-type')?.startsWith('application/json')) return
  const text = await response.clone().text()
  expect(text).not.toMatch(/"(?:message|details|reason|error|error_description)":""/)
}
