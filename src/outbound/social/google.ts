import { codeFlowConnector } from './code-flow.ts'
import { createProfileFromClaims, StandardClaims } from './oidc-claims.ts'

/** Signs in with Google: https://developers.google.com/identity/openid-connect/openid-connect */
export const google = codeFlowConnector({
  factoryId: 'google-universal',
  description: { en: 'Sign in with a Google account' },
  endpoints: {
    authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    userInfo: 'https://openidconnect.googleapis.com/v1/userinfo',
  },
  clientIdPlaceholder: '….apps.googleusercontent.com',
  scope: 'openid profile email',
  hasPkce: true,
  userInfoMethod: 'POST',
  user: StandardClaims,
  profile: createProfileFromClaims,
})
