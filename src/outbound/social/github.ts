import { z } from 'zod'
import { ProviderAccountId, parseJsonResponse } from '../provider-answer.ts'
import { withQuery } from '../with-query.ts'
import { createCodeChallenge } from './authorization-request.ts'
import { readAuthorizationCode, socialConnector } from './social.ts'
import { callSocialProvider, fetchProfile, throwIfTokenRejected } from './social-call.ts'
import { clientFields, clientItems, endpointFields, endpointItems } from './social-fields.ts'
import { parseTokens } from './token-request.ts'

/** Signs in with GitHub: https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export const github = socialConnector({
  factoryId: 'github-universal',
  description: { en: 'Sign in with a GitHub account' },
  config: z.object({ ...clientFields, ...endpointFields }),
  formItems: [...clientItems(), ...endpointItems],

  async authorizationUri({ clientId, authorizationEndpoint }, { state, redirectUri }, context) {
    const { kept, parameters } = await createCodeChallenge(context)
    return {
      kept,
      uri: withQuery(authorizationEndpoint ?? 'https://github.com/login/oauth/authorize', {
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        scope: 'read:user',
        ...parameters,
      }),
    }
  },

  async profile({ clientId, clientSecret, tokenEndpoint, userInfoEndpoint }, callback, context) {
    const code = readAuthorizationCode(callback)
    const answer = await callSocialProvider(
      tokenEndpoint ?? 'https://github.com/login/oauth/access_token',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          client_id: clientId,
          client_secret: clientSecret,
          code,
          // The verifier is absent from connector sessions that were created before PKCE was used.
          code_verifier: callback.kept.codeVerifier,
        }),
      },
      context,
    )
    throwIfTokenRejected(answer)
    const { access_token: token } = parseTokens(answer, 'form')
    const profile = await fetchProfile(
      userInfoEndpoint ?? 'https://api.github.com/user',
      { headers: { authorization: `token ${token}`, accept: 'application/json' } },
      context,
    )
    const { id, name, email, avatar_url: avatar } = parseJsonResponse(profile, User)
    return { id, name, email, avatar }
  },
})

const User = z.object({
  id: ProviderAccountId,
  name: z.string().nullish(),
  email: z.string().nullish(),
  avatar_url: z.string().nullish(),
})
