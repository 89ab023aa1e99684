import {
  authorizationCodeGrantRequest,
  type ClientAuth,
  ClientSecretPost,
  nopkce,
  skipStateCheck,
  validateAuthResponse,
} from 'oauth4webapi'
import { z } from 'zod'
import { basicAuthorization } from '../base64.ts'
import { ConnectorFailure } from '../failure.ts'
import { parseFormResponse, parseJsonResponse } from '../provider-answer.ts'
import type { ProviderResponse } from '../provider-call.ts'
import { libraryCallOptions } from './oauth-library.ts'
import { readAuthorizationCode, type SocialCallback, type SocialContext } from './social.ts'
import { throwIfTokenRejected } from './social-call.ts'

export const clientAuthentications = ['client_secret_post', 'client_secret_basic'] as const
export type ClientAuthentication = (typeof clientAuthentications)[number]

type TokenRequest = {
  endpoint: string
  clientId: string
  clientSecret: string
  authentication?: ClientAuthentication | undefined
  /** Additional parameters, which cannot override the standard ones. */
  parameters?: Record<string, string> | undefined
  /** The issuer that the callback must contain. If `isAnnounced` is false, the callback may omit it (RFC 9207). */
  callbackIssuer?: { issuer: string; isAnnounced: boolean } | undefined
  /** The format of the response. Some early OAuth 2.0 providers still respond with a form-encoded body. */
  format?: TokenFormat | undefined
}
type TokenFormat = 'json' | 'form'

/**
 * Exchanges the code for tokens (RFC 6749 §4.1.3), with the PKCE verifier if the authorization request had a challenge.
 * The library does not parse the response, because some providers deviate from RFC 6749 §5.1 in ways that do not affect
 * a sign-in: errors with the status 200, no `token_type`, or a list as `scope`.
 */
export async function requestTokens(
  request: TokenRequest,
  callback: SocialCallback,
  context: SocialContext,
): Promise<Tokens> {
  const { endpoint, clientId, callbackIssuer, parameters = {}, format } = request
  const server = {
    issuer: callbackIssuer?.issuer ?? endpoint,
    token_endpoint: endpoint,
    authorization_response_iss_parameter_supported: callbackIssuer?.isAnnounced ?? false,
  }
  const client = { client_id: clientId }
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    clientAuthentication(request),
    authorizationResponse(),
    callback.redirectUri,
    callback.kept.codeVerifier ?? nopkce,
    { additionalParameters: parameters, ...libraryCallOptions(context) },
  )
  const answer = { status: response.status, text: await response.text() }
  throwIfTokenRejected(answer)
  return parseTokens(answer, format)

  /** The state has already been compared with that of the connector session (spec/connectors#social-state). */
  function authorizationResponse(): URLSearchParams {
    const { iss } = callback.data
    const parameters = new URLSearchParams()
    if (callbackIssuer && iss !== undefined) parameters.set('iss', String(iss))
    const validated = checkIssuer(parameters)
    validated.set('code', readAuthorizationCode(callback))
    return validated
  }

  function checkIssuer(parameters: URLSearchParams): URLSearchParams {
    try {
      return validateAuthResponse(server, client, parameters, skipStateCheck)
    } catch {
      throw new ConnectorFailure('authorization_failed', { detail: 'the response names another issuer' })
    }
  }
}

/**
 * Returns the client authentication for the library. We implement Basic authentication ourselves, because the library
 * also percent-encodes `-`, `_` and `.`. RFC 6749 §2.3.1 allows this, but providers that do not decode the credentials
 * would reject the client.
 */
function clientAuthentication({ authentication, clientSecret }: TokenRequest): ClientAuth {
  if (authentication !== 'client_secret_basic') return ClientSecretPost(clientSecret)
  return (_server, { client_id: id }, _body, headers) =>
    headers.set('authorization', basicAuthorization(encodeURIComponent(id), encodeURIComponent(clientSecret)))
}

const Tokens = z.object({
  access_token: z.string().min(1),
  token_type: z.string().optional(),
  id_token: z.string().optional(),
})
export type Tokens = z.infer<typeof Tokens>

export const parseTokens = (response: ProviderResponse, format: TokenFormat = 'json'): Tokens =>
  format === 'form' ? parseFormResponse(response, Tokens) : parseJsonResponse(response, Tokens)
