import { env } from 'cloudflare:workers'
import { openTestApp, type TestApp } from './test-app.ts'

/** An app whose database another app changes while a request is being handled. */
export type RacingApp = {
  app: TestApp
  /**
   * Makes the change just before batch `at` of the request. The first batch is number 1. `changed` is the status of
   * the response to the change.
   */
  meanwhile<Answer>(
    at: number,
    request: () => Promise<Answer>,
  ): Promise<{ answer: Answer; changed: number | undefined }>
}

/**
 * Opens an app for a race with `change`, which makes a call to another app with separate caches and returns
 * the status of the response.
 */
export function openRacingApp(change: () => Promise<number>): RacingApp {
  let remaining = 0
  let changed: number | undefined
  const { DB } = env
  const batch: typeof DB.batch = async (statements) => {
    remaining--
    if (remaining === 0) changed = await change()
    return DB.batch(statements)
  }
  const app = openTestApp({
    DB: new Proxy(DB, {
      get(target, name) {
        const value = name === 'batch' ? batch : Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    }),
  })
  return {
    app,
    async meanwhile(at, request) {
      remaining = at
      changed = undefined
      const answer = await request()
      return { answer, changed }
    },
  }
}

/** Opens an app that calls `change` just before the first batch with a statement that contains `mark`. */
export function openInterruptedApp(mark: string, change: () => Promise<unknown>): TestApp {
  const { DB } = env
  let isFirst = true
  const batch: typeof DB.batch = async (statements) => {
    if (isFirst && JSON.stringify(statements).includes(JSON.stringify(mark).slice(1, -1))) {
      isFirst = false
      await change()
    }
    return DB.batch(statements)
  }
  const get = (target: typeof DB, name: string | symbol) => {
    const value = name === 'batch' ? batch : Reflect.get(target, name)
    return typeof value === 'function' ? value.bind(target) : value
  }
  return openTestApp({ DB: new Proxy(DB, { get }) }, { hasCalmDatabase: true })
}
