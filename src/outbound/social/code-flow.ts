import { z } from 'zod'
import type { SocialFactoryId } from '../../contract/social/social-connectors.ts'
import { OptionalText } from '../fields.ts'
import { readJson } from '../provider-answer.ts'
import { withQuery } from '../with-query.ts'
import { authorizationRequest } from './authorization-request.ts'
import {
  authorizationCode,
  type ProviderProfile,
  type SocialProviderConnector,
  socialConnector,
} from './social.ts'
import { callSocialProvider, fetchProfile, throwTokenRefusal } from './social-call.ts'
import {
  appFields,
  appItems,
  clientFields,
  clientItems,
  endpointFields,
  endpointItems,
  scopeItem,
} from './social-fields.ts'
import { type ClientAuthentication, readTokens, requestTokens } from './token-request.ts'

/**
 * Describes an OAuth 2.0 provider that has an endpoint for the profile of a token's owner. It consists of data and a
 * function that reads the profile.
 */
type CodeFlow<User> = {
  factoryId: SocialFactoryId
  description: Record<string, string>
  endpoints: { authorization: string; token: string; userInfo: string }
  /** The default scope; absent if the operator chooses the scope in the provider's console. */
  scope?: string
  /** Whether the provider accepts a code challenge (RFC 7636); some refuse unknown parameters. */
  hasPkce?: boolean
  /** Whether the provider calls a client an app, in its console and in the operator's configuration. */
  isApp?: boolean
  /** The beginning or end that all client ids of the provider share. */
  clientIdPlaceholder?: string
  clientAuthentication?: ClientAuthentication
  /** `GET` if the token request sends its parameters in the query, as one early provider documents it. */
  tokenMethod?: 'GET' | 'POST'
  /** Whether the token request repeats the state. */
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

export function codeFlow<User>(provider: CodeFlow<User>): SocialProviderConnector {
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
      const { uri, kept } = await authorizationRequest(
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
      return provider.profile(readJson(answer, provider.user))
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
    code: authorizationCode(callback),
    redirect_uri: callback.redirectUri,
    client_id: clientId,
    client_secret: clientSecret,
    code_verifier: callback.kept.codeVerifier,
  })
  const answer = await callSocialProvider(url, { headers: { accept: 'application/json' } }, context)
  throwTokenRefusal(answer)
  return readTokens(answer)
}
