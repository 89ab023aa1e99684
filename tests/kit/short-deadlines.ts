import { onTestFinished, vi } from 'vitest'

const SHORT = 300 // ms

/**
 * Calls of servers that never answer are given up after 0.3 s until the test ends. Answers how many milliseconds they
 * would have had, of those so far.
 */
export function shortDeadlines(): () => number[] {
  const { timeout } = AbortSignal
  const spy = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation(() => Reflect.apply(timeout, AbortSignal, [SHORT]))
  onTestFinished(() => spy.mockRestore())
  return () => spy.mock.calls.map(([milliseconds]) => milliseconds)
}
