import { z } from 'zod'
import { ConnectorFailure } from '../failure.ts'
import { ProviderAccountId, parseJsonResponse } from '../provider-answer.ts'
import { withQuery } from '../with-query.ts'
import { createCodeChallenge } from './authorization-request.ts'
import { readAuthorizationCode, type SocialContext, socialConnector } from './social.ts'
import { callSocialProvider, fetchProfile, type SocialCall, throwIfTokenRejected } from './social-call.ts'
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
        scope: 'read:user user:email',
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
    const endpoint = userInfoEndpoint ?? 'https://api.github.com/user'
    const call = { headers: { authorization: `token ${token}`, accept: 'application/json' } }
    const [profile, addresses] = await Promise.all([
      fetchProfile(endpoint, call, context),
      fetchAddresses(endpoint, call, context),
    ])
    const { id, name, email: publicEmail, avatar_url: avatar } = parseJsonResponse(profile, User)
    const email = chooseVerifiedAddress(addresses, publicEmail)
    if (addresses.length > 0 && !email) context.remark?.('emailUnverified')
    return { id, name, email, avatar }
  },
})

/** The number of addresses to request, the largest page. The primary address could be on any page. */
const PAGE_SIZE = '100'

/**
 * Fetches the user's addresses, of which the profile contains at most a public one. If GitHub refuses, for example
 * because a GitHub App lacks the permission, the user signs in without an address.
 */
async function fetchAddresses(
  userEndpoint: string,
  call: SocialCall,
  context: SocialContext,
): Promise<Addresses> {
  const url = withQuery(`${userEndpoint.replace(/\/$/, '')}/emails`, { per_page: PAGE_SIZE })
  try {
    return parseJsonResponse(await fetchProfile(url, call, context), Addresses)
  } catch (error) {
    if (!(error instanceof ConnectorFailure)) throw error
    context.remark?.('emailsFailed', error)
    return []
  }
}

/** Returns the primary address if it is verified, or else the public address if that is verified. */
function chooseVerifiedAddress(addresses: Addresses, publicEmail: string | null | undefined) {
  const verified = addresses.filter((address) => address.verified)
  const chosen =
    verified.find(({ primary }) => primary) ?? verified.find(({ email }) => email === publicEmail)
  return chosen?.email
}

const Addresses = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))
type Addresses = z.infer<typeof Addresses>

const User = z.object({
  id: ProviderAccountId,
  name: z.string().nullish(),
  email: z.string().nullish(),
  avatar_url: z.string().nullish(),
})
