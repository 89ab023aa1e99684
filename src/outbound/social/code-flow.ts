import { z } from 'zod'
import type { SocialFactoryId } from '../../contract/social/social-connectors.ts'
import { OptionalText } from '../fields.ts'
import { parseJsonResponse } from '../provider-answer.ts'
import { withQuery } from '../with-query.ts'
import { createAuthorizationRequest } from './authorization-request.ts'
import {
  type ProviderProfile,
  readAuthorizationCode,
  type SocialProviderConnector,
  socialConnector,
} from './social.ts'
import { callSocialProvider, fetchProfile, throwIfTokenRejected } from './social-call.ts'
import {
  appFields,
  appItems,
  clientFields,
  clientItems,
  endpointFields,
  endpointItems,
  scopeItem,
} from './social-fields.ts'
import { type ClientAuthentication, parseTokens, requestTokens } from './token-request.ts'

/**
 * Describes an OAuth 2.0 provider with a user info endpoint, as data and a function that converts the response to a
 * profile.
 */
type CodeFlow<User> = {
  factoryId: SocialFactoryId
  description: Record<string, string>
  endpoints: { authorization: string; token: string; userInfo: string }
  /** The default scope. Absent if operators select scopes in the provider's console. */
  scope?: string
  /** True if the provider supports code challenges (RFC 7636). Some providers reject unknown parameters. */
  hasPkce?: boolean
  /** True if the provider calls a client an app. The configuration fields then have that name, too. */
  isApp?: boolean
  /** The prefix or suffix that all client ids at this provider have. */
  clientIdPlaceholder?: string
  clientAuthentication?: ClientAuthentication
  /**
   * The method of the token request. With `GET`, which one provider still requires, the parameters are in the query.
   */
  tokenMethod?: 'GET' | 'POST'
  /** If true, the token request must contain the state again. */
  tokenTakesState?: boolean
  userInfoMethod?: 'GET' | 'POST'
  /** The HTTP statuses with which the provider rejects an access token. */
  invalidToken?: readonly number[]
  user: z.ZodType<User>
  profile(user: User): ProviderProfile
}

const ClientConfig = z.object({ ...clientFields, scope: OptionalText, ...endpointFields })
const AppConfig = z
  .object({ ...appFields, scope: OptionalText, ...endpointFields })
  .transform(({ appId, appSecret, ...rest }) => ({ clientId: appId, clientSecret: appSecret, ...rest }))

export function codeFlowConnector<User>(provider: CodeFlow<User>): SocialProviderConnector {
  const { factoryId, description, endpoints, scope: defaultScope } = provider
  const { hasPkce = false, isApp = false, tokenTakesState = false } = provider
  return socialConnector({
    factoryId,
    description,
    config: isApp ? AppConfig : ClientConfig,
    formItems: [
      ...(isApp ? appItems : clientItems(provider.clientIdPlaceholder)),
      ...(defaultScope ? [scopeItem(defaultScope)] : []),
      ...endpointItems,
    ],

    async authorizationUri({ clientId, scope = defaultScope, authorizationEndpoint }, request, context) {
      const endpoint = authorizationEndpoint ?? endpoints.authorization
      const { uri, kept } = await createAuthorizationRequest(
        { endpoint, clientId, scope, hasPkce },
        request,
        context,
      )
      return { uri, kept: { ...kept, ...(tokenTakesState && { state: request.state }) } }
    },

    async profile({ clientId, clientSecret, tokenEndpoint, userInfoEndpoint }, callback, context) {
      const { state } = callback.kept
      const request = {
        endpoint: tokenEndpoint ?? endpoints.token,
        clientId,
        clientSecret,
        authentication: provider.clientAuthentication,
        ...(state !== undefined && { parameters: { state } }),
      }
      const exchange = provider.tokenMethod === 'GET' ? requestTokensByQuery : requestTokens
      const { access_token: token } = await exchange(request, callback, context)
      const answer = await fetchProfile(
        userInfoEndpoint ?? endpoints.userInfo,
        {
          method: provider.userInfoMethod ?? 'GET',
          headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
        },
        context,
        provider.invalidToken,
      )
      return provider.profile(parseJsonResponse(answer, provider.user))
    },
  })
}

const requestTokensByQuery: typeof requestTokens = async (
  { endpoint, clientId, clientSecret },
  callback,
  context,
) => {
  const url = withQuery(endpoint, {
    grant_type: 'authorization_code',
    code: readAuthorizationCode(callback),
    redirect_uri: callback.redirectUri,
    client_id: clientId,
    client_secret: clientSecret,
    code_verifier: callback.kept.codeVerifier,
  })
  const answer = await callSocialProvider(url, { headers: { accept: 'application/json' } }, context)
  throwIfTokenRejected(answer)
  return parseTokens(answer)
}
