import { expect, it, onTestFinished, vi } from 'vitest'
import { createCache } from '../../src/storage/cache.ts'
import { isTransientError } from '../../src/storage/database.ts'

const WAITS = 5_000 // ms

it('other requests wait at most five seconds for a settings read whose request was aborted', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let [now, reads] = [0, 0]
  const settings = createCache(
    () => (reads++ === 0 ? new Promise<string>(() => {}) : Promise.resolve('read')),
    { now: () => now, maxAge: WAITS },
  )
  // The request that is aborted.
  settings.get('tenant').catch(() => {})
  const waited: unknown[] = []
  const wait = settings.get('tenant').catch((error: unknown) => waited.push(error))
  vi.advanceTimersByTime(WAITS - 1)
  await Promise.resolve()
  expect(waited).toEqual([])
  vi.advanceTimersByTime(1)
  await wait
  expect(waited.map(isTransientError)).toEqual([true])
  now = WAITS
  expect(await settings.get('tenant')).toBe('read')
})
