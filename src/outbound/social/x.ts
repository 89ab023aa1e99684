import { z } from 'zod'
import { codeFlowConnector } from './code-flow.ts'

/**
 * Signs in with X, which does not return an email address:
 * https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code
 */
export const xConnector = codeFlowConnector({
  factoryId: 'x-universal',
  description: { en: 'Sign in with an X account' },
  endpoints: {
    authorization: 'https://x.com/i/oauth2/authorize',
    token: 'https://api.x.com/2/oauth2/token',
    userInfo: 'https://api.x.com/2/users/me?user.fields=profile_image_url',
  },
  scope: 'users.read tweet.read',
  hasPkce: true,
  clientAuthentication: 'client_secret_basic',
  user: z.object({
    data: z.object({ id: z.string(), name: z.string().nullish(), profile_image_url: z.string().nullish() }),
  }),
  profile: ({ data: { id, name, profile_image_url: avatar } }) => ({ id, name, avatar }),
})
