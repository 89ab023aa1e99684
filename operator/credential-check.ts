import type { CredentialCheck } from '../src/contract/connectors/connectors.ts'

/**
 * Returns the reason in brackets, or nothing. If a provider was not reached, a general reason says nothing more
 * (spec/connectors#credential-check).
 */
export const formatReason = ({ outcome, reason }: CredentialCheck): string =>
  reason === null || (outcome === 'unreachable' && reason === 'general') ? '' : ` (${reason})`
