import type { Answer, Failure } from './api.ts'

export type Call = () => Promise<Answer<unknown>>

/** Makes one call after the other, until one fails. */
export async function firstFailure(...calls: Call[]): Promise<Failure | null> {
  for (const call of calls) {
    const answer = await call()
    if (!answer.ok) return answer.error
  }
  return null
}
