import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { countedDatabase } from '../../bench/counted-database.ts'
import type { Bindings } from '../../src/bindings.ts'
import { settingsCache } from '../../src/storage/cache.ts'
import worker from '../../src/worker.ts'
import { hostilePlatform, onHostilePlatform } from '../faults/hostile-platform.ts'
import { ORIGIN, PRODUCTION_ORIGIN } from './clients/cookie-client.ts'

/** An app reads settings only once, so that a test does not depend on how long it takes. */
settingsCache.maxAge = Number.POSITIVE_INFINITY

/** The Worker as it is deployed, with its own memory and a count of its calls to the database. */
export type TestApp = {
  /** The origin to which paths are relative. */
  origin: string
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Sends a request without waiting for the work that continues after the response. */
  answer(path: string, init?: RequestInit): Promise<{ response: Response; settled: Promise<void> }>
  /**
   * Returns the round trips to D1 since the last call of this function: those that a response waited for, and those
   * after it.
   */
  trips(): { awaited: number; afterwards: number }
  /** Makes every call to the database run this first from now on; it may throw. */
  beforeEachTrip(run: (() => void) | null): void
  /** Runs the scheduled maintenance. */
  sweep(): Promise<void>
  env: Bindings
}

/**
 * Opens an app on the hostile platform: KV returns old states, and D1 fails where the Worker repeats the call. No
 * client notices (docs/operations/faults.md), and a repeated call counts as one round trip. What follows a repeated write may wait
 * for the scheduled maintenance; a test of what happens at once asks for a calm database.
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
    // A test that makes calls fail on its own gets no other fault.
    isCalm: () => hasCalmDatabase || before !== null,
    onFault: () => count(-1),
  })
  const trip = () => {
    count(1)
    before?.()
  }
  // In production only configured hosts respond, and only over https.
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

/** Checks that a refusal tells its caller what was wrong: none of its texts is empty. */
async function expectReason(response: Response): Promise<void> {
  if (response.ok || !response.headers.get('content-type')?.startsWith('application/json')) return
  const text = await response.clone().text()
  expect(text).not.toMatch(/"(?:message|details|reason|error|error_description)":""/)
}
