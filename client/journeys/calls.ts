import type { CallFailure, CallOutcome } from '../api/api.ts'

export type JourneyCall = () => Promise<CallOutcome<unknown>>

/** Makes calls one after another until one fails. Returns the failure, or null if all calls succeed. */
export async function runUntilFailure(...calls: JourneyCall[]): Promise<CallFailure | null> {
  for (const call of calls) {
    const answer = await call()
    if (!answer.ok) return answer.error
  }
  return null
}
