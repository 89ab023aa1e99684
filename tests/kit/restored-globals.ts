import { afterAll, vi } from 'vitest'

/** One process runs all test files (`isolate: false`), so globals that a file replaces are restored at its end. */
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
