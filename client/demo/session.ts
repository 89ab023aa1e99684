import { type User, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import { DEMO_APP_ID } from '../../src/contract/product.ts'

/**
 * What an application has to do with Vestibule, and no more: any OpenID Connect library for browsers will do.
 * The demo application is a public client, so it has no secret and uses PKCE, which this library does by itself.
 */
const here = `${window.location.origin}/demo-app`

/** The authorization request, as far as an application chooses it. */
export const demoRequest = {
  client_id: DEMO_APP_ID,
  redirect_uri: here,
  scope: 'openid profile email phone custom_data identities offline_access',
  // `login`, because a demonstration that skips the sign-in page shows nothing. `consent`, because OpenID Connect
  // gives out a refresh token (offline_access) only to a request that asks for consent (spec/provider#offline-access).
  prompt: 'login consent',
}

const manager = new UserManager({
  ...demoRequest,
  authority: `${window.location.origin}/oidc`,
  post_logout_redirect_uri: here,
  loadUserInfo: true,
  automaticSilentRenew: false,
  userStore: new WebStorageStateStore({ store: window.sessionStorage }),
})

/** Where the sign-in page opens: on the form for those who have an account, or on the other. */
export type FirstPage = 'signIn' | 'signUp'

/** Leaves for the sign-in page. */
export const signIn = (firstPage: FirstPage) =>
  manager.signinRedirect({ extraQueryParams: { interaction_mode: firstPage } })

/** Leaves for the end of the session at the provider, which comes back here, with a state only if it was given one. */
export const signOut = () => manager.signoutRedirect({ state: 'signed out' })

/** Exchanges the refresh token. */
export const refreshTokens = () => manager.signinSilent()

export type DemoArrival = { kind: 'signedIn'; user: User } | { kind: 'signedOut'; justNow: boolean }

/** How the user has come here: from sign-in, from sign-out, or by the address alone. */
export async function readArrival(search: string): Promise<DemoArrival> {
  const query = new URLSearchParams(search)
  try {
    if (query.has('code') || query.has('error')) {
      return { kind: 'signedIn', user: await manager.signinRedirectCallback() }
    }
    if (query.has('state')) {
      await manager.signoutRedirectCallback()
      return { kind: 'signedOut', justNow: true }
    }
  } finally {
    // A code serves once: it must not be in the address when the page is reloaded.
    window.history.replaceState(null, '', here)
  }
  const user = await manager.getUser()
  return user ? { kind: 'signedIn', user } : { kind: 'signedOut', justNow: false }
}
