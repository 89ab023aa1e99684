import { DAY_SECONDS } from '../../contract/time.ts'

/**
 * The content of the cookie `_interaction_{uid}` (spec/interaction#sealed-cookie). Times are epoch seconds, as in the
 * OIDC model.
 */
export type InteractionCookie = {
  revision?: string | undefined
  exp: number
  clientId: string
  /**
   * The parameters of the authorization request, with which it can be restarted (spec/provider#restart). They are
   * omitted if they exceed 1.5 kB.
   */
  request?: Record<string, string> | undefined
  /** True if the parameters were pushed (RFC 9126). A restart must then not put them in a URL. */
  isPushed?: boolean | undefined
  /**
   * The application's redirect URI, which the page's content security policy needs. Set only if `request` is omitted.
   */
  redirectUri?: string | undefined
  /** True if the user authorizes a device. A restart then asks for the user code again. */
  isOfDevice?: boolean | undefined
  /** True if the page asks for consent to a third party. It is then rendered from the database (spec/pages#consent). */
  asksConsent?: boolean | undefined
  /** True if the page may welcome accounts that the browser remembers (spec/pages#returning). */
  welcomesAccounts?: boolean | undefined
  /**
   * The application, if nobody has signed in to it with this browser yet. Its name is then on the page
   * (spec/pages#application).
   */
  newApplication?: { name: string; logo?: string | undefined } | undefined
  /**
   * The organisation for which the user will act: the one that the request names, or the one that the user chose. The
   * pages then have its brand, and the sign-in has to satisfy its policy (spec/organisations#policy). Whether it exists
   * is unknown unless `isMember` is set, which means that the signed-in user is a member of it.
   */
  organization?: InteractionOrganization | undefined
  /** True if the response to the application is ready. The interaction can then only be restarted. */
  isConcluded?: boolean | undefined
  /** True if the interaction ended with a sign-in, rather than because the user cancelled or denied it. */
  hasSignedIn?: boolean | undefined
  /** The provider's row, or its key in KV. Set until the first call writes the row to the database. */
  unwritten?: PendingRow | { revision: string } | undefined
}

export type InteractionOrganization = { id: string; isMember?: true | undefined }

/** The row of an interaction that is not in the database yet (spec/storage#unwritten-interactions). */
export type PendingRow = {
  /** The payload of the provider's row, without `params` if they are in the cookie as `request`. */
  row: Record<string, unknown>
  /** The time of the authorization request, in epoch milliseconds. */
  at: number
  ip?: string | undefined
  userAgent?: string | undefined
}

/**
 * The time for which a browser keeps the cookie after the interaction has expired, so that a page left open overnight
 * can restart it (ADR-0005).
 */
const RETENTION_SECONDS = DAY_SECONDS

/** Returns the time at which the cookie expires, in epoch milliseconds. */
export const cookieExpiry = ({ exp }: InteractionCookie) => (exp + RETENTION_SECONDS) * 1000

export const INTERACTION_COOKIE_PREFIX = '_interaction_'
export const interactionCookieName = (uid: string) => INTERACTION_COOKIE_PREFIX + uid
export const navigationCookieName = (uid: string) => `_step_${uid}`

/**
 * The time for which the navigation state is valid: long enough to read an e-mail on another device
 * (spec/interaction#navigation-state).
 */
export const NAVIGATION_STATE_SECONDS = 10 * 60
