import { onTestFinished, vi } from 'vitest'

const SHORT = 300 // ms

/**
 * Makes calls to servers that never respond time out after 0.3 s until the test ends. Returns a function that lists the
 * timeouts, in milliseconds, that these calls asked for.
 */
export function shortDeadlines(): () => number[] {
  const { timeout } = AbortSignal
  const spy = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation(() => Reflect.apply(timeout, AbortSignal, [SHORT]))
  onTestFinished(() => spy.mockRestore())
  return () => spy.mock.calls.map(([milliseconds]) => milliseconds)
}
