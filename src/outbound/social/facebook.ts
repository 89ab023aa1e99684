import { z } from 'zod'
import { codeFlowConnector } from './code-flow.ts'

/**
 * The version of the Graph API, which is available until July 2028:
 * https://developers.facebook.com/docs/graph-api/changelog/versions
 */
const VERSION = 'v25.0'

/**
 * Signs in with Facebook, which returns only confirmed email addresses:
 * https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow
 */
export const facebook = codeFlowConnector({
  factoryId: 'facebook-universal',
  description: { en: 'Sign in with a Facebook account' },
  endpoints: {
    authorization: `https://www.facebook.com/${VERSION}/dialog/oauth`,
    token: `https://graph.facebook.com/${VERSION}/oauth/access_token`,
    userInfo: `https://graph.facebook.com/${VERSION}/me?fields=id,name,email,picture`,
  },
  scope: 'email,public_profile',
  // https://developers.facebook.com/docs/facebook-login/guides/advanced/oidc-token
  hasPkce: true,
  tokenMethod: 'GET',
  invalidToken: [400, 401],
  user: z.object({
    id: z.string(),
    name: z.string().nullish(),
    email: z.string().nullish(),
    picture: z.object({ data: z.object({ url: z.string().nullish() }).nullish() }).nullish(),
  }),
  profile: ({ id, name, email, picture }) => ({
    id,
    name,
    email,
    avatar: picture?.data?.url,
  }),
})
