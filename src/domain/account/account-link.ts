import type { AccountField, AccountFieldPolicies } from '../../contract/account/account-fields.ts'
import type { ApplicationType, OidcClientMetadata } from '../../contract/applications/applications.ts'
import { hasSpaceOrControl } from '../../contract/blank.ts'

/** A link from an application to a page of the account centre (spec/account-centre#linking). */
export type AccountLink = {
  /** The name of the application. */
  application: string
  redirectUri: string
  state: string | null
  isThirdParty: boolean
  /** The parameters of the link as a query string, which every page passes on to the next one. */
  search: string
}

/**
 * A task for which an application can send a user to the account centre. It starts on the page `path`, and is complete
 * once the form `intent` on the page `endsAt` has succeeded. It changes at least one of `fields`.
 */
type AccountTask = {
  path: `/account/${string}`
  endsAt: `/account/${string}`
  intent: string
  fields: readonly AccountField[]
}

/** The result of an account task, as reported to the application. */
type AccountResult = 'completed' | 'cancelled' | 'unavailable'

/**
 * The tasks in the account centre, at most one per page. When the user returns from a page without a task, no result is
 * reported.
 */
export const accountTasks: readonly AccountTask[] = [
  {
    path: '/account/profile',
    endsAt: '/account/profile',
    intent: 'save',
    fields: ['name', 'username', 'profile'],
  },
  { path: '/account/picture', endsAt: '/account/picture', intent: 'upload', fields: ['avatar'] },
  { path: '/account/email', endsAt: '/account/email/code', intent: 'prove', fields: ['email'] },
  { path: '/account/phone', endsAt: '/account/phone/code', intent: 'prove', fields: ['phone'] },
  { path: '/account/password', endsAt: '/account/password', intent: 'change', fields: ['password'] },
  { path: '/account/passkeys/new', endsAt: '/account/passkeys/new', intent: 'create', fields: ['passkeys'] },
  { path: '/account/factors/app', endsAt: '/account/factors/app', intent: 'enrol', fields: ['factors'] },
  { path: '/account/factors/key', endsAt: '/account/factors/key', intent: 'create', fields: ['passkeys'] },
]

export const completesTask = (page: string, intent: string): boolean =>
  accountTasks.some((task) => task.endsAt === page && task.intent === intent)

const taskOf = (page: string) => accountTasks.find(({ path, endsAt }) => path === page || endsAt === page)

/** Checks whether the tenant's policies lock all fields of this page's task. */
export const isTaskLocked = (page: string, policies: AccountFieldPolicies): boolean =>
  taskOf(page)?.fields.every((field) => policies[field] !== 'edit') ?? false

/**
 * Returns the URL that takes the user back to the application, with the result of the task. Third-party applications
 * receive no result, because they must not learn how a user signs in.
 */
export function buildReturnUrl(
  { redirectUri, state, isThirdParty }: AccountLink,
  { page, result }: { page: string; result: AccountResult },
): string {
  const hasResult = taskOf(page) !== undefined || result === 'unavailable'
  const query = new URLSearchParams({
    ...(hasResult && !isThirdParty && { account_result: result }),
    ...(state !== null && { state }),
  }).toString()
  const back = new URL(redirectUri)
  if (query) back.search = [back.search, query].filter(Boolean).join('&')
  return back.href
}

type Addresses = {
  type: ApplicationType
  oidcClientMetadata: Pick<OidcClientMetadata, 'redirectUris' | 'postLogoutRedirectUris'>
}

/**
 * Checks whether a URI is registered for the application, comparing URIs as the provider does
 * (spec/provider#redirect-uris).
 */
export function isReturnUrl({ type, oidcClientMetadata: registered }: Addresses, uri: string): boolean {
  // A machine-to-machine application has no users who could return to it.
  if (type === 'MachineToMachine' || hasSpaceOrControl(uri) || !URL.canParse(uri)) return false
  if ([...registered.redirectUris, ...registered.postLogoutRedirectUris].includes(uri)) return true
  const anyPort = type === 'Native' ? withoutPort(uri) : null
  return (
    anyPort !== null &&
    registered.redirectUris.some((registeredUri) => withoutPort(registeredUri) === anyPort)
  )
}

/** Removes the port of a loopback URL, because a native app chooses the port when it starts (RFC 8252 §7.3). */
const withoutPort = (uri: string): string | null =>
  LOOPBACK.test(uri) ? uri.replace(LOOPBACK, 'http://$1') : null
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/
