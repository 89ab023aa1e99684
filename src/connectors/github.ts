import { z } from 'zod'
import { addressWith } from './address-with.ts'
import { askForProfile, readTokensOfForm, refuseError } from './code-exchange.ts'
import { authorizationCode, socialConnector } from './social.ts'
import { ask, readJson } from './social-call.ts'
import { clientFields, clientItems, endpointFields, endpointItems } from './social-fields.ts'

/** https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export const github = socialConnector({
  factoryId: 'github-universal',
  description: { en: 'Sign in with a GitHub account' },
  config: z.object({ ...clientFields, ...endpointFields }),
  formItems: [...clientItems, ...endpointItems],

  authorizationUri({ clientId, authorizationEndpoint }, { state, redirectUri }) {
    return {
      uri: addressWith(authorizationEndpoint ?? 'https://github.com/login/oauth/authorize', {
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        scope: 'read:user',
      }),
    }
  },

  async profile({ clientId, clientSecret, tokenEndpoint, userInfoEndpoint }, callback, context) {
    const code = authorizationCode(callback)
    const granted = await ask(
      tokenEndpoint ?? 'https://github.com/login/oauth/access_token',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT },
        body: JSON.stringify({ client_id: clientId, client_secret: clientSecret, code }),
      },
      context,
    )
    refuseError(granted)
    const { access_token: token } = readTokensOfForm(granted)
    const answer = await askForProfile(
      userInfoEndpoint ?? 'https://api.github.com/user',
      { headers: { authorization: `token ${token}`, accept: 'application/json', 'user-agent': USER_AGENT } },
      context,
    )
    const { id, name, email, avatar_url: avatar } = readJson(answer, User)
    return {
      id: String(id),
      ...(name && { name }),
      ...(email && { email }),
      ...(avatar && { avatar }),
    }
  },
})

/** GitHub refuses calls that do not say who makes them. */
const USER_AGENT = 'Vestibule'

const User = z.object({
  id: z.union([z.number(), z.string()]),
  name: z.string().nullish(),
  email: z.string().nullish(),
  avatar_url: z.string().nullish(),
})
