import type { Answer, Failure } from './api.ts'

export type Call = () => Promise<Answer<unknown>>

/** One call after the other, as long as all goes well. */
export async function firstFailure(...calls: Call[]): Promise<Failure | null> {
  for (const call of calls) {
    const answer = await call()
    if (!answer.ok) return answer.error
  }
  return null
}
