import { DAY_SECONDS } from './time.ts'

/**
 * The names of cookies. Over https, they have a prefix that binds them to this host, so that no other host of the
 * domain can set them (RFC 6265bis §4.1.3). Over plain http, which development uses, browsers reject cookies with this
 * prefix.
 */
type Scheme = Pick<URL, 'protocol'>

const HOST = '__Host-'
const SECURE = '__Secure-'

/** Returns the name of a cookie with the path `/`. */
export const hostCookieName = (name: string, url: Scheme) => (isSecure(url) ? HOST + name : name)
/** Returns the name of a cookie whose path is not `/`. Browsers reject such cookies with the prefix `__Host-`. */
export const pathCookieName = (name: string, url: Scheme) => (isSecure(url) ? SECURE + name : name)

/** The cookie for linking an account at a provider (spec/account-centre#cookies). */
export const ACCOUNT_LINK_COOKIE = '_account_link'

/** The cookie for an operator's test of a sign-in at a provider (spec/connectors#sign-in-test). */
export const SIGN_IN_TEST_COOKIE = '_sign_in_test'
/**
 * The lifetime of a test. We chose a time that is long enough to sign in at the provider with two factors, but short,
 * because the result is personal data.
 */
export const SIGN_IN_TEST_SECONDS = 10 * 60

/** The cookie of a browser in which a user signed in (spec/accounts#trusted-browser). */
export const TRUSTED_BROWSER_COOKIE = '_known'
export const TRUSTED_BROWSER_SECONDS = 400 * DAY_SECONDS // browsers keep no cookie for longer (RFC 6265bis §5.5)

/**
 * Cookies that are also accepted without a prefix, because browsers may have stored them before prefixes were
 * introduced. Another host of the domain gains nothing by setting them.
 */
const ALSO_WITHOUT_PREFIX: readonly string[] = ['i18next']

/**
 * The prefix of the cookie with which users return to an app (spec/pages#landing). The cookie's path is that of the
 * callback.
 */
export const NATIVE_RETURN_COOKIE_PREFIX = '_social_return_'
export const NATIVE_RETURN_SECONDS = 10 * 60 // our choice: the longest time that signing in at a provider may take

/**
 * Returns the name, without its prefix, of a cookie that was sent over https, or null if another host of the domain may
 * have set the cookie. `__Secure-` does not rule this out, so that prefix is accepted only for the one cookie whose
 * path does not allow `__Host-`.
 */
export function nameWithoutPrefix(name: string): string | null {
  if (name.startsWith(HOST)) return name.slice(HOST.length)
  if (name.startsWith(SECURE + NATIVE_RETURN_COOKIE_PREFIX)) return name.slice(SECURE.length)
  return ALSO_WITHOUT_PREFIX.includes(name) ? name : null
}

/**
 * Returns attributes that hide cookies from scripts, exclude them from cross-site form submissions, and restrict them
 * to https if the page uses https.
 */
export const cookieAttributes = (url: Scheme) =>
  ({ path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure(url) }) as const

const isSecure = ({ protocol }: Scheme) => protocol === 'https:'
