import { UserManager } from 'oidc-client-ts'

const api = 'https://api.example.com' // only: api
const manager = new UserManager({
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
async function currentUser() {
  const query = new URLSearchParams(location.search)
  if (!query.has('state')) return manager.getUser()
  const user = query.has('code') || query.has('error') ? await manager.signinCallback() : undefined
  history.replaceState(null, '', location.pathname)
  return user ?? manager.getUser()
}

// only: api
/** Calls the API. The library replaces the access token before it expires, with the refresh token. */
async function showOrders() {
  const user = await manager.getUser()
  const response = await fetch(`${api}/orders`, {
    headers: { authorization: `Bearer ${user?.access_token}` },
  })
  show(await response.text())
}

const show = (text) => document.body.append(Object.assign(document.createElement('p'), { textContent: text }))

function showButton(textContent, onclick) {
  document.body.append(Object.assign(document.createElement('button'), { textContent, onclick }))
}

document.body.replaceChildren()
try {
  const user = await currentUser()
  if (user) {
    show(`Signed in as ${user.profile.preferred_username ?? user.profile.name ?? user.profile.sub}`)
    showButton('Orders', showOrders) // only: api
    showButton('Sign out', () => manager.signoutRedirect())
  } else {
    showButton('Sign in', () => manager.signinRedirect())
  }
} catch (error) {
  show(error.message)
  showButton('Sign in', () => manager.signinRedirect())
}
