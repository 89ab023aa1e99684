import { DAY, MINUTE } from '../../contract/time.ts'

/**
 * The delays between attempts, in milliseconds, by the number of previous attempts. The delays start at one minute and
 * double, and the last attempt is made after 24 hours (spec/connectors#hook-delivery). The attempts immediately after
 * the response count as one.
 */
export const retryDelays: readonly number[] = delaysOver(DAY)

/** Checks whether a delivery is abandoned if this attempt fails. */
export const isLastAttempt = (attempts: number) => attempts > retryDelays.length

function delaysOver(total: number): number[] {
  const delays: number[] = []
  let elapsed = 0
  for (let delay = MINUTE; elapsed < total; delay *= 2) {
    delays.push(Math.min(delay, total - elapsed))
    elapsed += delay
  }
  return delays
}
