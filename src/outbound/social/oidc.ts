import { z } from 'zod'
import { OptionalEndpoint, OptionalText, optionalItem, selectItem } from '../fields.ts'
import { parseShape } from '../provider-answer.ts'
import { createAuthorizationRequest } from './authorization-request.ts'
import { verifyIdToken } from './id-token.ts'
import { createProfileFromClaims, StandardClaims } from './oidc-claims.ts'
import { discoverProvider } from './oidc-discovery.ts'
import { addUserInfo } from './oidc-user-info.ts'
import { type SocialContext, socialConnector } from './social.ts'
import { clientFields, clientItems } from './social-fields.ts'
import { clientAuthentications, requestTokens } from './token-request.ts'

const Config = z
  .object({
    ...clientFields,
    scope: OptionalText,
    /** The issuer. Endpoints that are not configured come from its metadata (OIDC Discovery §4). */
    issuer: OptionalEndpoint,
    authorizationEndpoint: OptionalEndpoint,
    tokenEndpoint: OptionalEndpoint,
    userInfoEndpoint: OptionalEndpoint,
    idTokenVerificationConfig: z.object({ jwksUri: OptionalEndpoint, issuer: OptionalText }).optional(),
    tokenEndpointAuthMethod: z.enum(clientAuthentications).default('client_secret_post'),
    /** Additional parameters for the authorization request, such as `prompt`. */
    authRequestOptionalConfig: z.record(z.string(), z.string()).default({}),
    /** Additional parameters for both the authorization request and the token request. */
    customConfig: z.record(z.string(), z.string()).default({}),
  })
  .refine(
    ({ issuer, authorizationEndpoint, tokenEndpoint, idTokenVerificationConfig: verification }) =>
      issuer || (authorizationEndpoint && tokenEndpoint && verification?.jwksUri && verification.issuer),
    {
      path: ['issuer'],
      message: 'is required, unless all endpoints, jwksUri and the issuer of the ID tokens are set',
    },
  )
type Config = z.infer<typeof Config>

/** Signs in with any OpenID Provider, using the code flow, PKCE and a nonce (OIDC Core §3.1). */
export const oidc = socialConnector({
  factoryId: 'oidc',
  description: { en: 'Sign in with any OpenID Provider' },
  config: Config,
  formItems: [
    {
      ...optionalItem('issuer', 'Issuer', 'https://accounts.example.com'),
      description: 'Its endpoints are discovered',
    },
    ...clientItems(),
    optionalItem('scope', 'Scope', 'openid profile email'),
    selectItem('tokenEndpointAuthMethod', 'Client authentication', clientAuthentications),
    optionalItem('authorizationEndpoint', 'Authorization endpoint'),
    optionalItem('tokenEndpoint', 'Token endpoint'),
    optionalItem('userInfoEndpoint', 'User info endpoint'),
    {
      key: 'idTokenVerificationConfig',
      label: 'ID token verification',
      type: 'Json',
      placeholder: JSON.stringify({
        jwksUri: 'https://accounts.example.com/jwks',
        issuer: 'https://accounts.example.com',
      }),
    },
    { key: 'authRequestOptionalConfig', label: 'Parameters of the authorization request', type: 'Json' },
    { key: 'customConfig', label: 'Parameters of both requests', type: 'Json' },
  ],

  async authorizationUri(config, request, context) {
    const { authorizationEndpoint } = await endpointsOf(config, context)
    const server = {
      endpoint: authorizationEndpoint,
      clientId: config.clientId,
      scope: scopeOf(config),
      hasPkce: true,
      hasNonce: true,
      parameters: { ...config.customConfig, ...config.authRequestOptionalConfig },
    }
    return createAuthorizationRequest(server, request, context)
  },

  async profile(config, callback, context) {
    const { clientId, clientSecret, tokenEndpointAuthMethod, customConfig } = config
    const { issuer, tokenEndpoint, userInfoEndpoint, jwksUri, namesIssuer } = await endpointsOf(
      config,
      context,
    )
    const tokens = await requestTokens(
      {
        endpoint: tokenEndpoint,
        clientId,
        clientSecret,
        authentication: tokenEndpointAuthMethod,
        parameters: customConfig,
        callbackIssuer: { issuer, isAnnounced: namesIssuer },
      },
      callback,
      context,
    )
    const expected = { issuer, jwksUri, clientId, nonce: callback.kept.nonce }
    const { claims } = await verifyIdToken(tokens, expected, context)
    const request = {
      endpoint: userInfoEndpoint,
      accessToken: tokens.access_token,
      scopes: scopeOf(config).split(/\s+/),
    }
    return createProfileFromClaims(await addUserInfo(parseShape(claims, StandardClaims), request, context))
  },
})

/**
 * Returns the configured endpoints, supplemented by those in the provider's metadata. `namesIssuer` is true if the
 * provider adds its issuer to callbacks (RFC 9207).
 */
async function endpointsOf(config: Config, context: SocialContext) {
  const { issuer, authorizationEndpoint, tokenEndpoint, userInfoEndpoint } = config
  const { jwksUri, issuer: expectedIssuer = issuer } = config.idTokenVerificationConfig ?? {}
  if (authorizationEndpoint && tokenEndpoint && jwksUri && expectedIssuer) {
    const endpoints = { authorizationEndpoint, tokenEndpoint, userInfoEndpoint, jwksUri }
    return { issuer: expectedIssuer, ...endpoints, namesIssuer: false }
  }

  const metadata = await discoverProvider(issuer ?? '', context)
  return {
    issuer: config.idTokenVerificationConfig?.issuer ?? metadata.issuer,
    authorizationEndpoint: authorizationEndpoint ?? metadata.authorization_endpoint,
    tokenEndpoint: tokenEndpoint ?? metadata.token_endpoint,
    userInfoEndpoint: userInfoEndpoint ?? metadata.userinfo_endpoint,
    jwksUri: jwksUri ?? metadata.jwks_uri,
    namesIssuer: metadata.authorization_response_iss_parameter_supported === true,
  }
}

function scopeOf({ scope = 'openid profile email' }: Config): string {
  return scope.split(/\s+/).includes('openid') ? scope : `openid ${scope}`
}
