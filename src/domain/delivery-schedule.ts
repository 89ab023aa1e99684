const MINUTE = 60_000

/**
 * How long after a try the next one is due, by how many there have been: doubling from a minute on, the last after 24
 * hours (decision 18). The quick tries behind the answer count as one.
 */
export const retryDelays: readonly number[] = delaysOver(24 * 60 * MINUTE)

/** Nothing follows this try, should it fail. */
export const isLastTry = (tries: number) => tries > retryDelays.length

function delaysOver(whole: number): number[] {
  const delays: number[] = []
  let passed = 0
  for (let delay = MINUTE; passed < whole; delay *= 2) {
    delays.push(Math.min(delay, whole - passed))
    passed += delay
  }
  return delays
}
