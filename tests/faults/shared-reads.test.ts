import { expect, it } from 'vitest'
import { createCache } from '../../src/storage/cache.ts'
import { isTransient } from '../../src/storage/database.ts'

it('a read of settings whose request ended delays the others for five seconds at most', async () => {
  let reads = 0
  const settings = createCache(
    () => (reads++ === 0 ? new Promise<string>(() => {}) : Promise.resolve('read')),
    { now: Date.now, maxAge: 5_000 },
  )
  // The request whose client has gone.
  void settings.get('tenant')
  const begun = Date.now()
  const waited: unknown = await settings.get('tenant').catch((error: unknown) => error)
  expect(isTransient(waited)).toBe(true)
  expect(Date.now() - begun).toBeLessThan(20_000)
  expect(await settings.get('tenant')).toBe('read')
}, 30_000)
