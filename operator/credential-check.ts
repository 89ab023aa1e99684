import type { CredentialCheck } from '../src/contract/connectors/connectors.ts'

/**
 * Returns the reason in brackets, or an empty string if there is none. The reason `general` only means that the
 * provider could not be reached, like `unreachable` (spec/connectors#credential-check).
 */
export const formatReason = ({ outcome, reason }: CredentialCheck): string =>
  reason === null || (outcome === 'unreachable' && (reason === 'general' || reason === outcome))
    ? ''
    : ` (${reason})`
