import type { CallFailure, CallOutcome } from '../api/api.ts'

export type JourneyCall = () => Promise<CallOutcome<unknown>>

/** Makes one call after another until one fails, and returns that failure. */
export async function firstFailure(...calls: JourneyCall[]): Promise<CallFailure | null> {
  for (const call of calls) {
    const answer = await call()
    if (!answer.ok) return answer.error
  }
  return null
}
