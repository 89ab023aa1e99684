import * as client from 'openid-client'

/** Opens a URL in the system's browser, and returns the URL with which it opened the app. The framework provides it. */
type OpenBrowser = (url: URL) => Promise<URL>

const redirectUri = 'com.example.app:/callback'
const api = { resource: 'https://api.example.com' } // only: api

const config = await client.discovery(
  new URL('https://id.example.com/oidc'),
  'my-client-id',
  undefined,
  client.None(),
  { execute: [client.allowInsecureRequests] }, // only: http
)

/** Returns the tokens. Store the refresh token in the keychain. */
export async function signIn(openBrowser: OpenBrowser) {
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile offline_access orders:read',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...api, // only: api
  })
  const checks = { pkceCodeVerifier: verifier, expectedState: state }
  return client.authorizationCodeGrant(config, await openBrowser(url), checks, api)
}

/** Returns new tokens without the user. Store the new refresh token: the old one can't be used again. */
export const refresh = (refreshToken: string) => client.refreshTokenGrant(config, refreshToken, api)

// only: api
export async function fetchOrders(accessToken: string) {
  const url = new URL('https://api.example.com/orders')
  const response = await client.fetchProtectedResource(config, accessToken, url, 'GET')
  return response.json()
}

export function signOut(idToken: string, openBrowser: OpenBrowser) {
  const url = client.buildEndSessionUrl(config, {
    id_token_hint: idToken,
    post_logout_redirect_uri: 'com.example.app:/signed-out', // only: signout
  })
  return openBrowser(url)
}
