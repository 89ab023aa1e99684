import { z } from 'zod'
import type { SocialProfile } from '../contract/interaction.ts'
import type { SocialFactoryId } from '../contract/social-connectors.ts'
import { addressWith } from './address-with.ts'
import { askForProfile, type ClientAuthentication, exchangeCode, readTokens } from './code-exchange.ts'
import { Optional } from './fields.ts'
import { codeChallenge } from './pkce.ts'
import { authorizationCode, type SocialConnector, socialConnector } from './social.ts'
import { readJson } from './social-call.ts'
import {
  appFields,
  appItems,
  clientFields,
  clientItems,
  endpointFields,
  endpointItems,
  scopeItem,
} from './social-fields.ts'

/** A provider that keeps to RFC 6749 and tells who a token belongs to: what it is like as data, and what it says of a person. */
export type CodeFlow<User> = {
  factoryId: SocialFactoryId
  description: Record<string, string>
  endpoints: { authorization: string; token: string; userInfo: string }
  /** None for those who give what the operator has ticked in their console. */
  scope?: string
  /** Whether the provider takes a code challenge (RFC 7636); some refuse what they do not know. */
  hasPkce?: boolean
  /** Whether what is registered there is called an app, in its form and in the operator's configuration. */
  isApp?: boolean
  clientAuthentication?: ClientAuthentication
  tokenMethod?: 'GET' | 'POST'
  /** Whether the token endpoint wants to be told the state once more. */
  tokenTakesState?: boolean
  userInfoMethod?: 'GET' | 'POST'
  /** The statuses by which the provider says that a token is none. */
  invalidToken?: readonly number[]
  user: z.ZodType<User>
  profile(user: User): SocialProfile
}

const ClientConfig = z.object({ ...clientFields, scope: Optional, ...endpointFields })
const AppConfig = z
  .object({ ...appFields, scope: Optional, ...endpointFields })
  .transform(({ appId, appSecret, ...rest }) => ({ clientId: appId, clientSecret: appSecret, ...rest }))

export function codeFlow<User>(provider: CodeFlow<User>): SocialConnector {
  const { factoryId, description, endpoints, scope: usualScope } = provider
  const { hasPkce = false, isApp = false, tokenTakesState = false } = provider
  return socialConnector({
    factoryId,
    description,
    config: isApp ? AppConfig : ClientConfig,
    formItems: [
      ...(isApp ? appItems : clientItems),
      ...(usualScope ? [scopeItem(usualScope)] : []),
      ...endpointItems,
    ],

    async authorizationUri({ clientId, scope, authorizationEndpoint }, { state, redirectUri }, context) {
      const codeVerifier = context.random()
      const uri = addressWith(authorizationEndpoint ?? endpoints.authorization, {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: scope ?? usualScope,
        state,
        ...(hasPkce && {
          code_challenge: await codeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        }),
      })
      return { uri, kept: { ...(hasPkce && { codeVerifier }), ...(tokenTakesState && { state }) } }
    },

    async profile({ clientId, clientSecret, tokenEndpoint, userInfoEndpoint }, callback, context) {
      const answer = await exchangeCode(
        {
          endpoint: tokenEndpoint ?? endpoints.token,
          method: provider.tokenMethod,
          clientId,
          clientSecret,
          authentication: provider.clientAuthentication,
          code: authorizationCode(callback),
          redirectUri: callback.redirectUri,
          codeVerifier: callback.kept.codeVerifier,
          ...(callback.kept.state && { extra: { state: callback.kept.state } }),
        },
        context,
      )
      const found = await askForProfile(
        userInfoEndpoint ?? endpoints.userInfo,
        {
          method: provider.userInfoMethod ?? 'GET',
          headers: { authorization: `Bearer ${readTokens(answer).access_token}`, accept: 'application/json' },
        },
        context,
        provider.invalidToken,
      )
      return provider.profile(readJson(found, provider.user))
    },
  })
}
