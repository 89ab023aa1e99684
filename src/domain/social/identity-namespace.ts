import { isRecord } from '../../contract/is-record.ts'

/**
 * Who gives the ids of the accounts that a connector answers (spec/connectors#identity-namespaces). Null as long as the
 * configuration of a standard connector does not say it. Two connectors with one target never differ in it.
 */
export function identityNamespace(factoryId: string, config: Record<string, unknown>): string | null {
  switch (factoryId) {
    case 'oidc': {
      // The issuer that the ID tokens must name: their `sub` is unique within it (OIDC Core §2).
      const { idTokenVerificationConfig: verification } = config
      return named('oidc', (isRecord(verification) ? verification.issuer : null) || config.issuer)
    }
    case 'oauth2':
      return named('oauth2', config.userInfoEndpoint)
    default:
      return factoryId
  }
}

/** A slash at the end of an address is the same provider. */
const named = (protocol: string, issuer: unknown): string | null =>
  typeof issuer === 'string' && issuer.trim() !== ''
    ? `${protocol} ${issuer.trim().replace(/\/+$/, '')}`
    : null
