import { isRecord } from '../../src/contract/is-record.ts'
import { ApiProblem, NOWHERE } from '../api/problem.ts'
import type { useWords } from './words.ts'

/** What a failure means for the user, in one line. What is not about the user's roles says itself what is refused. */
export function explanationOf(error: unknown, words: ReturnType<typeof useWords>): string {
  if (!(error instanceof ApiProblem)) return error instanceof Error ? error.message : String(error)
  if (error.status === 0) return words('offline')
  if (error.code === 'auth.forbidden') {
    const lacked = isRecord(error.data) && Array.isArray(error.data.scopes) ? error.data.scopes : []
    return lacked.length > 0 ? words('notAllowedLacking', { scopes: lacked.join(', ') }) : words('notAllowed')
  }
  if (error.code === NOWHERE) return words('nowhere')
  const id = error.requestId ? ` (${words('requestId', { id: error.requestId })})` : ''
  return error.message + id
}
