import { onTestFinished, vi } from 'vitest'

const SHORT = 300 // ms

/**
 * Makes calls to unresponsive servers time out after 0.3 s until the test ends. Returns a function that lists
 * the timeouts that these calls requested, in milliseconds.
 */
export function shortDeadlines(): () => number[] {
  const { timeout } = AbortSignal
  const spy = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation(() => Reflect.apply(timeout, AbortSignal, [SHORT]))
  onTestFinished(() => spy.mockRestore())
  return () => spy.mock.calls.map(([milliseconds]) => milliseconds)
}
