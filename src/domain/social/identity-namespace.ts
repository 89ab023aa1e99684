import { isRecord } from '../../contract/is-record.ts'

/**
 * Returns the namespace of the account ids that a connector provides (spec/connectors#identity-namespaces). Returns
 * null if the configuration of a standard-protocol connector does not determine the namespace yet. Two connectors with
 * the same target always have the same namespace.
 */
export function identityNamespace(factoryId: string, config: Record<string, unknown>): string | null {
  switch (factoryId) {
    case 'oidc': {
      // The required issuer of ID tokens. Their `sub` is unique for each issuer (OIDC Core §2).
      const { idTokenVerificationConfig: verification } = config
      return toNamespace('oidc', (isRecord(verification) ? verification.issuer : null) || config.issuer)
    }
    case 'oauth2':
      return toNamespace('oauth2', config.userInfoEndpoint)
    default:
      return factoryId
  }
}

/** Builds a namespace from an issuer or endpoint URL, ignoring trailing slashes. Returns null if there is no URL. */
const toNamespace = (protocol: string, issuer: unknown): string | null =>
  typeof issuer === 'string' && issuer.trim() !== ''
    ? `${protocol} ${issuer.trim().replace(/\/+$/, '')}`
    : null
