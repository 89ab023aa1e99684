import type { z } from 'zod'
import type { ConnectorCheckResult } from '../../../src/contract/connectors/connectors.schema.ts'
import { type FailureReason, failureReasons } from '../../../src/contract/connectors/connectors.ts'

export type Verdict = z.infer<typeof ConnectorCheckResult>
/** The result of a check. `at` is in epoch milliseconds. */
export type CheckResult = { verdict: Verdict; at: number }

/**
 * Returns the phrase for the result of a check, with the provider's own error message if there is one
 * (spec/connectors#credential-check).
 */
export function describeVerdict({ outcome, reason }: Verdict) {
  switch (outcome) {
    case 'accepted':
    case 'unsupported':
      return { phrase: outcome, word: null }
    case 'refused':
    case 'unclear':
      return { phrase: outcome, word: reason }
    case 'unreachable':
      return { phrase: describeFault(reason) ?? outcome, word: null }
  }
}

/**
 * Maps failures that aren't a response of the provider to phrases: it didn't respond, or its response couldn't be
 * read.
 */
function describeFault(reason: string | null): 'tooLate' | 'unreadable' | `${FailureReason}Failure` | null {
  if (reason === 'timed out') return 'tooLate'
  if (reason === 'invalid_response') return 'unreadable'
  const known = failureReasons.find((one) => one === reason)
  return known ? `${known}Failure` : null
}

/** Tells whether the check shows that sign-ins or messages won't work with these credentials. */
export const isFailure = ({ outcome }: Verdict): boolean => outcome === 'refused' || outcome === 'unreachable'
