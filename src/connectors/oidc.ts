import { z } from 'zod'
import { addressWith } from './address-with.ts'
import { clientAuthentications, exchangeCode, readTokens } from './code-exchange.ts'
import { ConnectorFailure } from './failure.ts'
import { Endpoint, Optional, optional, Required, required, secret } from './fields.ts'
import { verifiedClaims } from './id-token.ts'
import { Claims, profileOfClaims } from './oidc-claims.ts'
import { discover } from './oidc-discovery.ts'
import { codeChallenge } from './pkce.ts'
import { authorizationCode, type SocialContext, socialConnector } from './social.ts'

const Config = z
  .object({
    clientId: Required,
    clientSecret: Required,
    scope: Optional,
    /** With it, what is not given is discovered (OpenID Connect Discovery 1.0, 4). */
    issuer: Endpoint,
    authorizationEndpoint: Endpoint,
    tokenEndpoint: Endpoint,
    idTokenVerificationConfig: z.object({ jwksUri: Endpoint, issuer: Optional }).optional(),
    tokenEndpointAuthMethod: z.enum(clientAuthentications).default('client_secret_post'),
    /** Further parameters of the authorization request, e.g. `prompt`. */
    authRequestOptionalConfig: z.record(z.string(), z.string()).default({}),
    /** Further parameters of both requests. */
    customConfig: z.record(z.string(), z.string()).default({}),
  })
  .refine(
    ({ issuer, authorizationEndpoint, tokenEndpoint, idTokenVerificationConfig: verification }) =>
      issuer || (authorizationEndpoint && tokenEndpoint && verification?.jwksUri && verification.issuer),
    { path: ['issuer'], message: 'is needed, or all endpoints with jwksUri and issuer of the ID tokens' },
  )
type Config = z.infer<typeof Config>

/** Any OpenID Provider (OpenID Connect Core 1.0): code flow with PKCE and nonce. */
export const oidc = socialConnector({
  factoryId: 'oidc',
  description: { en: 'Sign in with any OpenID Provider' },
  config: Config,
  formItems: [
    {
      ...optional('issuer', 'Issuer', 'https://accounts.example.com'),
      description: 'Its endpoints are discovered',
    },
    required('clientId', 'Client ID'),
    secret('clientSecret', 'Client secret'),
    optional('scope', 'Scope', 'openid profile email'),
    {
      key: 'tokenEndpointAuthMethod',
      label: 'Client authentication',
      type: 'Select',
      defaultValue: 'client_secret_post',
      selectItems: clientAuthentications.map((value) => ({ value, title: value })),
    },
    optional('authorizationEndpoint', 'Authorization endpoint'),
    optional('tokenEndpoint', 'Token endpoint'),
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

  async authorizationUri(config, { state, redirectUri }, context) {
    const { authorizationEndpoint } = await endpointsOf(config, context)
    const [nonce, codeVerifier] = [context.random(), context.random()]
    const uri = addressWith(authorizationEndpoint, {
      ...config.customConfig,
      ...config.authRequestOptionalConfig,
      response_type: 'code',
      client_id: config.clientId,
      redirect_uri: redirectUri,
      scope: withOpenid(config.scope ?? 'openid profile email'),
      state,
      nonce,
      code_challenge: await codeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    })
    return { uri, kept: { nonce, codeVerifier } }
  },

  async profile(config, callback, context) {
    const { issuer, tokenEndpoint, jwksUri, sendsIssuer } = await endpointsOf(config, context)
    // RFC 9207 §2.4: an answer of another provider than the one asked is a mix-up.
    const { iss } = callback.data
    if (iss === undefined ? sendsIssuer : iss !== issuer) {
      throw new ConnectorFailure('authorization_failed', { detail: 'the answer names another issuer' })
    }
    const answer = await exchangeCode(
      {
        endpoint: tokenEndpoint,
        clientId: config.clientId,
        clientSecret: config.clientSecret,
        authentication: config.tokenEndpointAuthMethod,
        code: authorizationCode(callback),
        redirectUri: callback.redirectUri,
        codeVerifier: callback.kept.codeVerifier,
        extra: config.customConfig,
      },
      context,
    )
    const { id_token: idToken } = readTokens(answer)
    if (!idToken) throw new ConnectorFailure('invalid_response', { detail: 'no id_token' })
    const expected = { jwksUri, issuer, clientId: config.clientId, nonce: callback.kept.nonce }
    const claims = Claims.safeParse(await verifiedClaims(idToken, expected, context))
    if (!claims.success) throw new ConnectorFailure('invalid_response', { detail: 'claims of other types' })
    return profileOfClaims(claims.data)
  },
})

async function endpointsOf(config: Config, context: SocialContext) {
  const { issuer, authorizationEndpoint, tokenEndpoint, idTokenVerificationConfig: verification } = config
  if (authorizationEndpoint && tokenEndpoint && verification?.jwksUri) {
    const named = verification.issuer ?? issuer
    if (named) {
      return {
        issuer: named,
        authorizationEndpoint,
        tokenEndpoint,
        jwksUri: verification.jwksUri,
        sendsIssuer: false,
      }
    }
  }
  const found = await discover(issuer ?? '', context)
  return {
    issuer: verification?.issuer ?? found.issuer,
    authorizationEndpoint: authorizationEndpoint ?? found.authorization_endpoint,
    tokenEndpoint: tokenEndpoint ?? found.token_endpoint,
    jwksUri: verification?.jwksUri ?? found.jwks_uri,
    sendsIssuer: found.authorization_response_iss_parameter_supported === true,
  }
}

const withOpenid = (scope: string) => (scope.split(/\s+/).includes('openid') ? scope : `openid ${scope}`)
