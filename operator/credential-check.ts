import type { CredentialCheck } from '../src/contract/connectors/connectors.ts'

/**
 * Returns the reason in brackets, or an empty string if there is none. The reason `general` says nothing more than that
 * the provider was not reached (spec/connectors#credential-check).
 */
export const formatReason = ({ outcome, reason }: CredentialCheck): string =>
  reason === null || (outcome === 'unreachable' && reason === 'general') ? '' : ` (${reason})`
