import { afterAll, vi } from 'vitest'

/** A process runs file after file (`isolate: false`): what one puts in the place of globals ends with it. */
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
