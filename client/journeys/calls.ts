import type { CallFailure, CallOutcome } from '../api/api.ts'

export type JourneyCall = () => Promise<CallOutcome<unknown>>

/** Makes one call after the other, until one fails. */
export async function firstFailure(...calls: JourneyCall[]): Promise<CallFailure | null> {
  for (const call of calls) {
    const answer = await call()
    if (!answer.ok) return answer.error
  }
  return null
}
