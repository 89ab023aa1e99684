import type { CredentialCheck } from '../src/contract/connectors/connectors.ts'

/** Why, in brackets, or nothing: that a provider was not reached has no reason that says more (spec/connectors#credential-check). */
export const formatReason = ({ outcome, reason }: CredentialCheck): string =>
  reason === null || (outcome === 'unreachable' && reason === 'general') ? '' : ` (${reason})`
