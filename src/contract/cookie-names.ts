/**
 * The names of cookies. Over https they have a prefix that makes browsers keep them for this host only, so that no
 * other host of the domain can set them (RFC 6265bis §4.1.3). Browsers reject the prefix over plain http, which
 * development uses.
 */
type Scheme = Pick<URL, 'protocol'>

const HOST = '__Host-'
const SECURE = '__Secure-'

/** Returns the name of a cookie with the path `/`. */
export const hostCookieName = (name: string, url: Scheme) => (isSecure(url) ? HOST + name : name)
/** Returns the name of a cookie with another path, which `__Host-` does not allow. */
export const pathCookieName = (name: string, url: Scheme) => (isSecure(url) ? SECURE + name : name)

/** The cookie for linking an account at a provider (spec/account-centre#cookies). */
export const ACCOUNT_LINK_COOKIE = '_account_link'

/** The cookie for an operator's test of a sign-in at a provider (spec/connectors#sign-in-test). */
export const SIGN_IN_TEST_COOKIE = '_sign_in_test'

/**
 * Cookies that outlive an interaction and are of no use to another host, so that they are also read under their old
 * name.
 */
const ALSO_WITHOUT_PREFIX: readonly string[] = ['i18next']

/** The prefix of the cookie that leads users back to an app (spec/pages#landing). Its path is that of the callback. */
export const NATIVE_RETURN_COOKIE_PREFIX = '_social_return_'

/**
 * Returns the bare name of a cookie that was sent over https, or null if another host of the domain may have set it.
 * `__Secure-` does not stop other hosts from setting a cookie, so it is accepted only for the cookie whose path rules
 * out `__Host-`.
 */
export function nameWithoutPrefix(name: string): string | null {
  if (name.startsWith(HOST)) return name.slice(HOST.length)
  if (name.startsWith(SECURE + NATIVE_RETURN_COOKIE_PREFIX)) return name.slice(SECURE.length)
  return ALSO_WITHOUT_PREFIX.includes(name) ? name : null
}

/**
 * Scripts cannot read these cookies, forms of other sites do not send them, and over https they never travel over plain
 * http.
 */
export const cookieAttributes = (url: Scheme) =>
  ({ path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure(url) }) as const

const isSecure = ({ protocol }: Scheme) => protocol === 'https:'
