import { type User, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import { DEMO_APP_ID } from '../../src/contract/product.ts'

/**
 * Everything that an application has to do to use Vestibule. Any OpenID Connect library for browsers works. The
 * demo application is a public client: it has no secret and uses PKCE, which the library handles.
 */
const demoUrl = `${window.location.origin}/demo-app`

/** The parameters of the authorization request that are up to the application. */
export const demoRequest = {
  client_id: DEMO_APP_ID,
  redirect_uri: demoUrl,
  scope: 'openid profile email phone custom_data identities offline_access',
  // `login` always shows the sign-in page, because otherwise the demo would have nothing to show. `consent` always
  // asks for consent, as a third party must to get a refresh token (offline_access)
  // (spec/provider#offline-access).
  prompt: 'login consent',
}

const manager = new UserManager({
  ...demoRequest,
  authority: `${window.location.origin}/oidc`,
  post_logout_redirect_uri: demoUrl,
  loadUserInfo: true,
  automaticSilentRenew: false,
  userStore: new WebStorageStateStore({ store: window.sessionStorage }),
})

/** The form that the sign-in page shows first: the one for existing users, or the one for new users. */
type FirstPage = 'signIn' | 'signUp'

/** Redirects to the sign-in page. */
export const signIn = (firstPage: FirstPage) =>
  manager.signinRedirect({ extraQueryParams: { interaction_mode: firstPage } })

/**
 * Redirects to the provider, which ends the session and redirects back here. The provider returns a state only if
 * it received one.
 */
export const signOut = () => manager.signoutRedirect({ state: 'signed out' })

/** Exchanges the refresh token for new tokens. */
export const refreshTokens = () => manager.signinSilent()

/**
 * Calls the account API. If the API requires a more recent or stronger sign-in (RFC 9470), redirects to sign in
 * and returns null.
 */
export async function callAccountApi(user: User, path: string, body: object): Promise<Response | null> {
  const response = await fetch(`/api/me${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const challenge = response.headers.get('www-authenticate') ?? ''
  if (!challenge.includes('insufficient_user_authentication')) return response
  const parameter = (name: string) => new RegExp(`${name}="([^"]+)"`).exec(challenge)?.[1]
  const level = parameter('acr_values')
  await manager.signinRedirect({ max_age: Number(parameter('max_age')), ...(level && { acr_values: level }) })
  return null
}

const LINK_STATE = 'account link'

/** Returns the URL of an account-centre page, with parameters for returning here (spec/account-centre#linking). */
export function accountUrl(path: string): string {
  const state = crypto.randomUUID()
  window.sessionStorage.setItem(LINK_STATE, state)
  return `${path}?${new URLSearchParams({ client_id: DEMO_APP_ID, redirect_uri: demoUrl, state })}`
}

/**
 * The way in which the user arrived at this page. `result` is the outcome of a task in the account centre; it is for
 * display only and proves nothing.
 */
type DemoArrival =
  | { kind: 'signedIn'; user: User; result: string | null }
  | { kind: 'signedOut'; justNow: boolean }

/** Completes a redirect, and determines how the user arrived: after signing in, after signing out, or directly. */
export async function handleCallback(search: string): Promise<DemoArrival> {
  const query = new URLSearchParams(search)
  const isOurLink = query.has('state') && query.get('state') === window.sessionStorage.getItem(LINK_STATE)
  try {
    if (query.has('code') || query.has('error')) {
      return { kind: 'signedIn', user: await manager.signinRedirectCallback(), result: null }
    }
    if (query.has('state') && !isOurLink) {
      await manager.signoutRedirectCallback()
      return { kind: 'signedOut', justNow: true }
    }
  } finally {
    // A code can be used only once, so remove it from the URL before the page is reloaded.
    window.history.replaceState(null, '', demoUrl)
  }
  const user = await manager.getUser()
  const result = isOurLink ? query.get('account_result') : null
  return user ? { kind: 'signedIn', user, result } : { kind: 'signedOut', justNow: false }
}
