import { isRecord } from '../../contract/is-record.ts'

/**
 * Returns the namespace of the account ids that a connector returns (spec/connectors#identity-namespaces), or null if
 * the configuration of a standard connector does not determine it yet. Two connectors with the same target always share
 * their namespace.
 */
export function identityNamespace(factoryId: string, config: Record<string, unknown>): string | null {
  switch (factoryId) {
    case 'oidc': {
      // The issuer that the ID tokens must name: their `sub` is unique within it (OIDC Core §2).
      const { idTokenVerificationConfig: verification } = config
      return toNamespace('oidc', (isRecord(verification) ? verification.issuer : null) || config.issuer)
    }
    case 'oauth2':
      return toNamespace('oauth2', config.userInfoEndpoint)
    default:
      return factoryId
  }
}

/** Addresses with and without a trailing slash are the same provider. */
const toNamespace = (protocol: string, issuer: unknown): string | null =>
  typeof issuer === 'string' && issuer.trim() !== ''
    ? `${protocol} ${issuer.trim().replace(/\/+$/, '')}`
    : null
