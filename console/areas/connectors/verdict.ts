import type { z } from 'zod'
import type { ConnectorCheckResult } from '../../../src/contract/connectors/connectors.schema.ts'

export type Verdict = z.infer<typeof ConnectorCheckResult>

/** The phrase for what came of a check, with the provider's own word where it has sent one (spec/connectors#credential-check). */
export function describeVerdict({ outcome, reason }: Verdict) {
  switch (outcome) {
    case 'accepted':
    case 'unsupported':
      return { phrase: outcome, word: null }
    case 'refused':
    case 'unclear':
      return { phrase: outcome, word: reason }
    case 'unreachable':
      return { phrase: unreachable[reason ?? ''] ?? outcome, word: null }
  }
}

/** The reasons are our own words: nothing came from the provider, or nothing that could be read. */
const unreachable: Readonly<Record<string, 'tooLate' | 'unreadable'>> = {
  'timed out': 'tooLate',
  invalid_response: 'unreadable',
}

/** Whether sign-ins and messages will not work with what was asked about. */
export const isFailure = ({ outcome }: Verdict): boolean => outcome === 'refused' || outcome === 'unreachable'
