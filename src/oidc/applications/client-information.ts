import type { ApplicationRow } from '../../storage/applications/applications.ts'

/**
 * Returns the response that describes a registered client (RFC 7591 §3.2.1, RFC 7592 §3). `address` is the URL of the
 * registration endpoint.
 */
export function toClientInformation(
  { id, name, type, secret, createdAt, oidcClientMetadata, customClientMetadata: custom }: ApplicationRow,
  address: string,
  token: string,
): Record<string, unknown> {
  const { scopes = [], authMethod = 'none' } = custom.dynamicRegistration ?? {}
  const { redirectUris, postLogoutRedirectUris, logoUri } = oidcClientMetadata
  return {
    client_id: id,
    client_id_issued_at: Math.floor(createdAt / 1000),
    ...(authMethod.startsWith('client_secret') && { client_secret: secret, client_secret_expires_at: 0 }),
    registration_access_token: token,
    registration_client_uri: `${address}/${id}`,
    client_name: name,
    redirect_uris: redirectUris,
    ...(postLogoutRedirectUris.length > 0 && { post_logout_redirect_uris: postLogoutRedirectUris }),
    ...(logoUri !== undefined && { logo_uri: logoUri }),
    ...(custom.policyUri !== undefined && { policy_uri: custom.policyUri }),
    ...(custom.tosUri !== undefined && { tos_uri: custom.tosUri }),
    ...(custom.initiateLoginUri !== undefined && { initiate_login_uri: custom.initiateLoginUri }),
    application_type: type === 'Native' ? 'native' : 'web',
    response_types: ['code'],
    grant_types: ['authorization_code', ...(scopes.includes('offline_access') ? ['refresh_token'] : [])],
    scope: scopes.join(' '),
    token_endpoint_auth_method: authMethod,
    ...(custom.jwks && { jwks: custom.jwks }),
    ...(custom.jwksUri !== undefined && { jwks_uri: custom.jwksUri }),
    ...(custom.idTokenSignedResponseAlg && { id_token_signed_response_alg: custom.idTokenSignedResponseAlg }),
    ...(custom.dpopBoundAccessTokens && { dpop_bound_access_tokens: true }),
  }
}
