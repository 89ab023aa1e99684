import { IndexedDbDPoPStore, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import { isRecord } from '../../src/contract/is-record.ts'
import { consoleScopes } from './scopes.ts'

/**
 * The console signs in as any application does: through the provider of this host, as the built-in public client, with PKCE and a
 * token that is bound to a key of this browser (RFC 9449). The key cannot be exported; it lies in IndexedDB.
 */
const here = `${window.location.origin}/console/`

const RESOURCE = 'urn:vestibule:management-api'

const manager = new UserManager({
  authority: `${window.location.origin}/oidc`,
  client_id: 'console',
  redirect_uri: here,
  post_logout_redirect_uri: here,
  scope: consoleScopes.join(' '),
  resource: RESOURCE,
  // The token for the API; that of the ID token would be one for userinfo (RFC 8707 §2.2).
  extraTokenParams: { resource: RESOURCE },
  automaticSilentRenew: false,
  // A tab that is opened beside this one signs in without a question.
  userStore: new WebStorageStateStore({ store: window.sessionStorage }),
  dpop: { store: new IndexedDbDPoPStore(), bind_authorization_code: true },
})

/** Leaves for the sign-in page, which comes back to this address. */
export const signIn = (asked: { max_age?: number; acr_values?: string } = {}): Promise<void> =>
  manager.signinRedirect({ ...asked, state: window.location.pathname + window.location.search })

/** Set by a sign-out of this tab: what comes back from it does not sign in again by itself. */
const SIGNED_OUT = 'console-signed-out'

export function signOut(): Promise<void> {
  window.sessionStorage.setItem(SIGNED_OUT, '1')
  return manager.signoutRedirect()
}

/** Whether this page is where a sign-out led. */
function takeSignedOut(): boolean {
  const isSignedOut = window.sessionStorage.getItem(SIGNED_OUT) !== null
  window.sessionStorage.removeItem(SIGNED_OUT)
  return isSignedOut
}

/** How the user has come here. `error` is one of RFC 6749 §4.1.2.1 and its description. */
export type Arrival =
  | { kind: 'signedIn' }
  | { kind: 'new' }
  | { kind: 'signedOut' }
  | { kind: 'failed'; error: string }

/** Reads what the provider answered, if this page is its answer, and puts the address back that was left for the sign-in. */
export async function readArrival(): Promise<Arrival> {
  const query = new URLSearchParams(window.location.search)
  if (query.has('state') && (query.has('code') || query.has('error'))) {
    try {
      const user = await manager.signinRedirectCallback()
      const left =
        typeof user.state === 'string' && user.state.startsWith('/console') ? user.state : '/console'
      window.history.replaceState(null, '', left)
      signedInAt = Date.now()
    } catch (error) {
      window.history.replaceState(null, '', '/console')
      return { kind: 'failed', error: error instanceof Error ? error.message : String(error) }
    }
  } else if (window.location.pathname === '/console/') {
    window.history.replaceState(null, '', `/console${window.location.search}`)
  }
  if (await manager.getUser()) return { kind: 'signedIn' }
  return { kind: takeSignedOut() ? 'signedOut' : 'new' }
}

/** Seconds that a token must last: longer than a request takes. */
const SHORTEST_REST = 30

/** Milliseconds. A token that is refused so soon after the sign-in is not mended by another sign-in. */
const SIGNED_IN_JUST_NOW = 10_000
let signedInAt = 0

/** Whether a refused token can be mended by another sign-in: without this check the two would follow each other for ever. */
export const maySignInAgain = (): boolean => Date.now() - signedInAt > SIGNED_IN_JUST_NOW

/** The headers that authenticate a request to the management API; null if the user must sign in again. */
export async function authentication(url: string, method: string): Promise<Record<string, string> | null> {
  const user = await manager.getUser()
  // There is no refresh token: an administrator signs in once an hour (spec/provider#allowed-resources).
  if (!user || (user.expires_in ?? 0) < SHORTEST_REST) return null
  const proof = await manager.dpopProof(url, user, method)
  return { authorization: `DPoP ${user.access_token}`, ...(proof && { dpop: proof }) }
}

/** When the user proved who they are, by the token (`auth_time`, RFC 9068 §2.2.1); null where it does not say. Milliseconds. */
export async function provedAt(): Promise<number | null> {
  const { access_token: token } = (await manager.getUser()) ?? {}
  const claims: unknown = token && JSON.parse(decoded(token.split('.')[1] ?? ''))
  const time = isRecord(claims) ? claims.auth_time : null
  return typeof time === 'number' ? time * 1000 : null
}

/** Seconds until the next sign-in is due. */
export const secondsLeft = async (): Promise<number> => (await manager.getUser())?.expires_in ?? 0

/** Of base64url; the claims that are read are ASCII. */
const decoded = (part: string) => atob(part.replaceAll('-', '+').replaceAll('_', '/')) || '{}'
