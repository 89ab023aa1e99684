import type { ErrorCode } from '../../src/contract/errors.ts'
import { isRecord } from '../../src/contract/is-record.ts'
import { ApiProblem, CONSOLE_ERROR_CODE, INVALID_PATH_CODE } from './problem.ts'

/**
 * An explanation of a failure: either a sentence from the server in the language of the console, or a kind of failure
 * for which the console has its own sentence.
 */
type Explanation = { requestId?: string | null } & (
  | {
      kind: 'sentence'
      text: string
      /** The problems with individual values that no field displays. */
      issues: string
    }
  | { kind: 'offline' | 'nowhere' | 'signInRefused' }
  /** `missingScopes` contains the scopes that the API reported as missing. */
  | { kind: 'notAllowed'; missingScopes: string[] }
  | { kind: 'unexplained'; status: number }
  /** A fault of the console, or a browser that lacks a feature. `detail` is the browser's message. */
  | { kind: 'unexpected'; detail: string }
)

/**
 * The error codes that mean that no access token of this user allows the call. Other 403 responses concern the change
 * itself, and their messages explain why.
 */
const notAllowed: ReadonlySet<string> = new Set<ErrorCode>(['auth.forbidden', 'oidc.insufficient_scope'])

export function explainFailure(error: unknown): Explanation {
  if (!(error instanceof ApiProblem))
    return { kind: 'unexpected', detail: error instanceof Error ? error.message : String(error) }
  const { status, code, message, requestId } = error
  if (code === CONSOLE_ERROR_CODE) return { kind: 'unexpected', detail: message }
  if (status === 0) return { kind: 'offline' }
  if (code === INVALID_PATH_CODE) return { kind: 'nowhere' }
  if (status === 401) return { kind: 'signInRefused', requestId }
  if (notAllowed.has(code)) return { kind: 'notAllowed', missingScopes: readMissingScopes(error) }
  // A proxy in front of our server responded with a body that isn't in our format.
  if (message === '') return { kind: 'unexplained', status, requestId }
  return { kind: 'sentence', text: message, issues: joinIssues(error), requestId }
}

const readMissingScopes = ({ data }: ApiProblem): string[] =>
  isRecord(data) && Array.isArray(data.scopes) ? data.scopes.map(String) : []

function joinIssues({ fields }: ApiProblem): string {
  const issues = Object.entries(fields).map(([path, problem]) => (path ? `${path}: ${problem}` : problem))
  return issues.length > 0 ? `${issues.join('; ')}.` : ''
}

/**
 * Returns why a sign-in at the provider failed. `code` is an error code of RFC 6749 §4.1.2.1 or a message of the
 * library.
 */
type SignInFailure =
  | { kind: 'declined' | 'stale' | 'offline' | 'unavailable' }
  | { kind: 'other'; code: string }

export function classifySignInFailure(error: unknown): SignInFailure {
  // oidc-client-ts sets `error` if the provider responded with an error.
  const providerError = error instanceof Error && 'error' in error ? String(error.error) : null
  const text = error instanceof Error ? error.message : String(error)
  switch (providerError) {
    case 'access_denied':
      return { kind: 'declined' }
    case 'server_error':
    case 'temporarily_unavailable':
      return { kind: 'unavailable' }
    // The authorization code has already been redeemed or has expired.
    case 'invalid_grant':
      return { kind: 'stale' }
    default:
  }
  if (providerError !== null) return { kind: 'other', code: providerError }
  if (error instanceof TypeError) return { kind: 'offline' }
  // This tab doesn't have the state of the sign-in, because the sign-in was started in another tab or the page was
  // opened a second time.
  return /\bstate\b/i.test(text) ? { kind: 'stale' } : { kind: 'other', code: text }
}
