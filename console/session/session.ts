import {
  type INavigator,
  IndexedDbDPoPStore,
  type User,
  UserManager,
  WebStorageStateStore,
} from 'oidc-client-ts'
import { isRecord } from '../../src/contract/is-record.ts'
import { MANAGEMENT_RESOURCE, SERVICES_RESOURCE } from '../../src/contract/product.ts'
import { claimTabForUser, clearUserStorage, userStoragePrefixes } from './kept-for-user.ts'
import { apiOrigin } from './place.ts'
import { consoleScopes } from './scopes.ts'

/**
 * The console signs in like any other application: through the provider of this host, as the built-in public client,
 * with PKCE. Its token is bound to a key that is stored in this browser's IndexedDB and can't be exported (RFC 9449).
 */
const redirectUri = `${window.location.origin}/console/`

const issuer = `${apiOrigin}/oidc`

/**
 * Sends the authorization request with `fetch` instead of navigating. The URL of the final response contains the code,
 * or an error if the provider has to show a page (OIDC Core §3.1.2.6). Meanwhile, the browser downloads the next
 * screen.
 */
const requestNavigator: INavigator = {
  prepare: async () => ({
    async navigate({ url }) {
      const answer = await fetch(url, { credentials: 'same-origin' })
      await answer.body?.cancel()
      return { url: answer.url }
    },
    close() {},
  }),
  callback: async () => {},
}

/** The APIs that the console has tokens for. Each token is for one API (RFC 8707). */
const apis = {
  management: {
    resource: MANAGEMENT_RESOURCE.indicator,
    scopes: consoleScopes,
    prefix: userStoragePrefixes.managementToken,
  },
  /** The API for the tenants of the deployment (spec/console#tenants). */
  services: {
    resource: SERVICES_RESOURCE.indicator,
    scopes: ['openid', 'manage:tenant'],
    prefix: userStoragePrefixes.servicesToken,
  },
} as const
export type ApiName = keyof typeof apis

const createManager = ({ resource, scopes, prefix }: (typeof apis)[ApiName]) =>
  new UserManager(
    {
      authority: issuer,
      // The metadata that discovery would return for our own provider (spec/provider#discovery), without a request.
      metadata: {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        end_session_endpoint: `${issuer}/session/end`,
      },
      client_id: 'console',
      redirect_uri: redirectUri,
      silent_redirect_uri: redirectUri,
      post_logout_redirect_uri: redirectUri,
      scope: scopes.join(' '),
      resource,
      // Requests the token for the API, because the token that comes with the ID token is for the userinfo endpoint
      // (RFC 8707 §2.2).
      extraTokenParams: { resource },
      automaticSilentRenew: false,
      // Lets a tab that is opened next to this one sign in without showing a page.
      userStore: new WebStorageStateStore({ store: window.sessionStorage, prefix }),
      dpop: { store: new IndexedDbDPoPStore(), bind_authorization_code: true },
    },
    undefined,
    undefined,
    requestNavigator,
  )

const managers = { management: createManager(apis.management), services: createManager(apis.services) }

/**
 * The API for which this tab requested a token, stored before the tab leaves the console for the sign-in page.
 */
const SIGNING_IN = 'console-signing-in'

/** Opens the sign-in page, which returns to this URL. */
export function signIn(
  requirements: { max_age?: number; acr_values?: string } = {},
  api: ApiName = 'management',
): Promise<void> {
  window.sessionStorage.setItem(SIGNING_IN, api)
  const state = window.location.pathname + window.location.search
  return managers[api].signinRedirect({ ...requirements, state })
}

/**
 * The key of a flag that this tab sets when it signs out, so that the next page doesn't sign in again automatically.
 */
const SIGNED_OUT = 'console-signed-out'

export async function signOut(): Promise<void> {
  window.sessionStorage.setItem(SIGNED_OUT, '1')
  await managers.services.removeUser()
  return managers.management.signoutRedirect()
}

/** Returns whether this page was opened by a sign-out, and clears the flag. */
function consumeSignedOut(): boolean {
  const isSignedOut = window.sessionStorage.getItem(SIGNED_OUT) !== null
  window.sessionStorage.removeItem(SIGNED_OUT)
  return isSignedOut
}

/** The way in which the console starts: with a signed-in user, or on the sign-in page. */
export type StartState =
  | { kind: 'signedIn' }
  /** The provider has to show a page. */
  | { kind: 'new' }
  | { kind: 'signedOut' }
  | { kind: 'failed'; error: unknown }

/**
 * Processes the provider's response if this page's URL contains one, and restores the URL from which the user left to
 * sign in. Without a response or a valid token, it asks the provider, which still has a session for most users
 * (spec/console#sign-in).
 */
export async function readStartState(): Promise<StartState> {
  const query = new URLSearchParams(window.location.search)
  if (query.has('state') && (query.has('code') || query.has('error'))) {
    try {
      const api = window.sessionStorage.getItem(SIGNING_IN) === 'services' ? 'services' : 'management'
      const user = await managers[api].signinRedirectCallback()
      const returnPath =
        typeof user.state === 'string' && user.state.startsWith('/console') ? user.state : '/console'
      window.history.replaceState(null, '', returnPath)
      signedInAt = Date.now()
    } catch (error) {
      window.history.replaceState(null, '', '/console')
      return { kind: 'failed', error }
    }
  } else if (window.location.pathname === '/console/') {
    window.history.replaceState(null, '', `/console${window.location.search}`)
  }
  const fresh = await readValidToken('management')
  if (!fresh && consumeSignedOut()) return { kind: 'signedOut' }
  const user = fresh ?? (await signInSilently('management'))
  if (!user) return { kind: 'new' }
  claimTabForUser(user.profile.sub)
  return { kind: 'signedIn' }
}

/** Returns null if the provider has to show a page before it issues a token. */
async function signInSilently(api: ApiName): Promise<User | null> {
  // Requests from another origin don't include the provider's cookies.
  if (apiOrigin !== window.location.origin) return null
  try {
    return await managers[api].signinSilent()
  } catch {
    // The provider has to show a page (`login_required` and similar) or didn't respond. In either case, the sign-in
    // page is opened next and shows what is wrong.
    return null
  }
}

async function readValidToken(api: ApiName): Promise<User | null> {
  const user = await managers[api].getUser()
  return user && (user.expires_in ?? 0) >= MIN_VALID_SECONDS ? user : null
}

/** The number of seconds for which a token must still be valid. A request takes less time than this. */
const MIN_VALID_SECONDS = 30

/**
 * If a token is rejected within this many milliseconds after a return from the sign-in page, another sign-in won't
 * help. After a silent sign-in it may, because the sign-in page can ask for a more recent or a stronger sign-in.
 */
const RETRY_SIGN_IN_AFTER = 10_000
let signedInAt = 0

/**
 * Tells whether another sign-in may help after a token was rejected. Without this check, sign-ins and rejections would
 * alternate forever.
 */
export const canRetrySignIn = (): boolean => Date.now() - signedInAt > RETRY_SIGN_IN_AFTER

/** Returns the headers that authenticate a request to an API, or null if the user must sign in again. */
export async function createAuthHeaders(
  api: ApiName,
  { url, method }: { url: string; method: string },
): Promise<Record<string, string> | null> {
  // There is no refresh token: an administrator signs in once an hour (spec/provider#allowed-resources).
  const user = (await readValidToken(api)) ?? (api === 'services' ? await signInToServices() : null)
  if (!user) return null
  if (api === 'services' && !(await isTabUser(user))) return restart()
  const proof = await managers[api].dpopProof(url, user, method)
  return { authorization: `DPoP ${user.access_token}`, ...(proof && { dpop: proof }) }
}

/**
 * Tells whether the token belongs to the user of this tab. If another user has signed in in another tab, the provider
 * issues tokens for that user.
 */
async function isTabUser({ profile }: User): Promise<boolean> {
  return (await managers.management.getUser())?.profile.sub === profile.sub
}

/** Reloads the page for the user who is now signed in at the provider. The promise never settles. */
function restart(): Promise<never> {
  clearUserStorage('managementToken', 'servicesToken')
  window.location.reload()
  return new Promise(() => {})
}

let servicesSignIn: Promise<User | null> | undefined

/** Signs in to the services API on the first request. Simultaneous requests share one sign-in. */
function signInToServices(): Promise<User | null> {
  servicesSignIn ??= signInSilently('services').finally(() => {
    servicesSignIn = undefined
  })
  return servicesSignIn
}

/**
 * Returns the time at which the user last authenticated, in epoch milliseconds (`auth_time`, RFC 9068 §2.2.1), or null
 * if the token doesn't contain it.
 */
export async function readAuthTime(): Promise<number | null> {
  const { auth_time: time } = await readTokenClaims()
  return typeof time === 'number' ? time * 1000 : null
}

/**
 * Returns the user of the token and the scopes that it contains. The console uses these scopes until the API has
 * returned the current ones.
 */
export async function readTokenPermissions(): Promise<{ userId: string; scopes: readonly string[] }> {
  const { sub, scope } = await readTokenClaims()
  return { userId: String(sub ?? ''), scopes: typeof scope === 'string' ? scope.split(' ') : [] }
}

async function readTokenClaims(): Promise<Record<string, unknown>> {
  const { access_token: token } = (await managers.management.getUser()) ?? {}
  const claims: unknown = token && JSON.parse(decodeBase64Url(token.split('.')[1] ?? ''))
  return isRecord(claims) ? claims : {}
}

/** Returns the number of seconds until the token expires and the user has to sign in again. */
export const getSecondsUntilExpiry = async (): Promise<number> =>
  (await managers.management.getUser())?.expires_in ?? 0

/**
 * Decodes base64url. The result is only correct for ASCII text, which is enough for the claims that the console reads.
 */
const decodeBase64Url = (part: string) => atob(part.replaceAll('-', '+').replaceAll('_', '/')) || '{}'
