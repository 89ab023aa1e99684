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
 * The console signs in as any application does: through the provider of this host, as the built-in public client, with PKCE and a
 * token that is bound to a key of this browser (RFC 9449). The key cannot be exported; it lies in IndexedDB.
 */
const redirectUri = `${window.location.origin}/console/`

const issuer = `${apiOrigin}/oidc`

/**
 * Asks the provider by a request in place of a page: the address that answers it at last has the code, or says that a page is
 * needed (OIDC Core §3.1.2.6). Meanwhile the browser downloads what is shown then.
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

/** The APIs that the console has tokens for: each is for one of them (RFC 8707). */
const apis = {
  management: {
    resource: MANAGEMENT_RESOURCE.indicator,
    scopes: consoleScopes,
    prefix: userStoragePrefixes.managementToken,
  },
  /** Tenants of the deployment (spec/console#tenants). */
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
      // What discovery says of our own provider (spec/provider#discovery), without waiting for it.
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
      // The token for the API; that of the ID token would be one for userinfo (RFC 8707 §2.2).
      extraTokenParams: { resource },
      automaticSilentRenew: false,
      // A tab that is opened beside this one signs in without a question.
      userStore: new WebStorageStateStore({ store: window.sessionStorage, prefix }),
      dpop: { store: new IndexedDbDPoPStore(), bind_authorization_code: true },
    },
    undefined,
    undefined,
    requestNavigator,
  )

const managers = { management: createManager(apis.management), services: createManager(apis.services) }

/** The API that the provider's answer is for; set before this tab leaves. */
const SIGNING_IN = 'console-signing-in'

/** Leaves for the sign-in page, which comes back to this address. */
export function signIn(
  requirements: { max_age?: number; acr_values?: string } = {},
  api: ApiName = 'management',
): Promise<void> {
  window.sessionStorage.setItem(SIGNING_IN, api)
  const state = window.location.pathname + window.location.search
  return managers[api].signinRedirect({ ...requirements, state })
}

/** Set by a sign-out of this tab: what comes back from it does not sign in again by itself. */
const SIGNED_OUT = 'console-signed-out'

export async function signOut(): Promise<void> {
  window.sessionStorage.setItem(SIGNED_OUT, '1')
  await managers.services.removeUser()
  return managers.management.signoutRedirect()
}

/** Whether this page is where a sign-out led. */
function consumeSignedOut(): boolean {
  const isSignedOut = window.sessionStorage.getItem(SIGNED_OUT) !== null
  window.sessionStorage.removeItem(SIGNED_OUT)
  return isSignedOut
}

/** How the user has come here. */
export type StartState =
  | { kind: 'signedIn' }
  /** The provider has to show a page. */
  | { kind: 'new' }
  | { kind: 'signedOut' }
  | { kind: 'failed'; error: unknown }

/**
 * Reads what the provider answered, if this page is its answer, and puts the address back that was left for the sign-in. Without an
 * answer and a token it asks the provider, which knows most users already (spec/console#sign-in).
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

/** Null where the provider has to show a page before it answers with a token. */
async function signInSilently(api: ApiName): Promise<User | null> {
  // The cookies of the provider are not sent from another origin.
  if (apiOrigin !== window.location.origin) return null
  try {
    return await managers[api].signinSilent()
  } catch {
    // `login_required` and its like, or no answer: the sign-in page says what is wrong.
    return null
  }
}

async function readValidToken(api: ApiName): Promise<User | null> {
  const user = await managers[api].getUser()
  return user && (user.expires_in ?? 0) >= MIN_VALID_SECONDS ? user : null
}

/** Seconds that a token must last: longer than a request takes. */
const MIN_VALID_SECONDS = 30

/**
 * Milliseconds. A token that is refused so soon after the answer of the sign-in page is not mended by another sign-in. One that came
 * without the page may be: the page can ask for a more recent or a stronger sign-in.
 */
const RETRY_SIGN_IN_AFTER = 10_000
let signedInAt = 0

/** Whether a refused token can be mended by another sign-in: without this check the two would follow each other for ever. */
export const canRetrySignIn = (): boolean => Date.now() - signedInAt > RETRY_SIGN_IN_AFTER

/** The headers that authenticate a request to an API; null if the user must sign in again. */
export async function authenticationHeaders(
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

/** In another tab somebody else may have signed in meanwhile, whom the provider then names. */
async function isTabUser({ profile }: User): Promise<boolean> {
  return (await managers.management.getUser())?.profile.sub === profile.sub
}

/** This page again, for the user whom the provider knows now. Nothing that waits goes on. */
function restart(): Promise<never> {
  clearUserStorage('managementToken', 'servicesToken')
  window.location.reload()
  return new Promise(() => {})
}

let servicesSignIn: Promise<User | null> | undefined

/** With the first request to them. Requests at the same time wait for one sign-in. */
function signInToServices(): Promise<User | null> {
  servicesSignIn ??= signInSilently('services').finally(() => {
    servicesSignIn = undefined
  })
  return servicesSignIn
}

/** When the user proved who they are, by the token (`auth_time`, RFC 9068 §2.2.1); null where it does not say. Milliseconds. */
export async function readAuthTime(): Promise<number | null> {
  const { auth_time: time } = await readTokenClaims()
  return typeof time === 'number' ? time * 1000 : null
}

/** Who the token is for and what it opens, by itself: until the API has said what that is now. */
export async function readTokenPermissions(): Promise<{ userId: string; scopes: readonly string[] }> {
  const { sub, scope } = await readTokenClaims()
  return { userId: String(sub ?? ''), scopes: typeof scope === 'string' ? scope.split(' ') : [] }
}

async function readTokenClaims(): Promise<Record<string, unknown>> {
  const { access_token: token } = (await managers.management.getUser()) ?? {}
  const claims: unknown = token && JSON.parse(decodeBase64Url(token.split('.')[1] ?? ''))
  return isRecord(claims) ? claims : {}
}

/** Seconds until the next sign-in is due. */
export const secondsUntilExpiry = async (): Promise<number> =>
  (await managers.management.getUser())?.expires_in ?? 0

/** Of base64url; the claims that are read are ASCII. */
const decodeBase64Url = (part: string) => atob(part.replaceAll('-', '+').replaceAll('_', '/')) || '{}'
