import { afterAll, vi } from 'vitest'

/** A process runs file after file (`isolate: false`), so replaced globals are restored at the end of each file. */
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
