import { codeFlowConnector } from './code-flow.ts'
import { createProfileFromClaims, StandardClaims } from './oidc-claims.ts'

/**
 * Signs in with LinkedIn:
 * https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
 */
export const linkedin = codeFlowConnector({
  factoryId: 'linkedin-universal',
  description: { en: 'Sign in with a LinkedIn account' },
  endpoints: {
    authorization: 'https://www.linkedin.com/oauth/v2/authorization',
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
    userInfo: 'https://api.linkedin.com/v2/userinfo',
  },
  scope: 'openid profile email',
  user: StandardClaims,
  profile: createProfileFromClaims,
})
