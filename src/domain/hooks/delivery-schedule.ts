import { DAY, MINUTE } from '../../contract/time.ts'

/**
 * Milliseconds from one attempt to the next, by the number of attempts before: doubling from a minute on, the last after
 * 24 hours (spec/connectors#hook-delivery). The quick attempts after the answer count as one.
 */
export const retryDelays: readonly number[] = delaysOver(DAY)

/** No attempt follows this one if it fails. */
export const isLastAttempt = (attempts: number) => attempts > retryDelays.length

function delaysOver(whole: number): number[] {
  const delays: number[] = []
  let passed = 0
  for (let delay = MINUTE; passed < whole; delay *= 2) {
    delays.push(Math.min(delay, whole - passed))
    passed += delay
  }
  return delays
}
