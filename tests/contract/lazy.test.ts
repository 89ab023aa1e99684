import { expect, it, vi } from 'vitest'
import { lazy } from '../../src/contract/lazy.ts'

it('a lazy value is loaded once for concurrent and later callers', async () => {
  const load = vi.fn(async () => ({}))
  const get = lazy(load)
  expect(load).not.toHaveBeenCalled()
  const [first, second] = await Promise.all([get(), get()])
  expect(second).toBe(first)
  expect(await get()).toBe(first)
  expect(load).toHaveBeenCalledTimes(1)
})

it('a lazy value that failed to load is loaded again for later callers', async () => {
  const load = vi.fn(async () => 'loaded').mockRejectedValueOnce(new Error('no network'))
  const get = lazy(load)
  const outcomes = await Promise.allSettled([get(), get()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await get()).toBe('loaded')
  expect(load).toHaveBeenCalledTimes(2)
})
