import { UserManager } from 'oidc-client-ts'

export const api = 'https://api.example.com' // only: api
export const manager = new UserManager({
  authority: 'https://id.example.com/oidc',
  client_id: 'my-client-id',
  redirect_uri: 'http://localhost:5173/',
  post_logout_redirect_uri: 'http://localhost:5173/', // only: signout
  scope: 'openid profile email offline_access orders:read',
  // Both requests name the API that the access token is for. // only: api
  resource: api, // only: api
  extraTokenParams: { resource: api }, // only: api
})

/** Completes the sign-in if the page was opened by its response. */
export async function currentUser() {
  const query = new URLSearchParams(location.search)
  if (!query.has('state')) return manager.getUser()
  const user = query.has('code') || query.has('error') ? await manager.signinCallback() : undefined
  history.replaceState(null, '', location.pathname)
  return user ?? manager.getUser()
}
