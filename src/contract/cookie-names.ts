/**
 * The names of cookies. Over https they have a prefix by which a browser keeps them for this host alone, so that no other
 * host of its domain can set them (RFC 6265bis §4.1.3). Browsers refuse the prefix over plain http, which development uses.
 */
type Scheme = Pick<URL, 'protocol'>

const HOST = '__Host-'
const SECURE = '__Secure-'

/** Of a cookie with the path `/`. */
export const hostCookie = (name: string, url: Scheme) => (isSecure(url) ? HOST + name : name)
/** Of a cookie with another path, which `__Host-` does not allow. */
export const pathCookie = (name: string, url: Scheme) => (isSecure(url) ? SECURE + name : name)

/** Of an account at a provider that is being linked (spec/account-centre#cookies). */
export const ACCOUNT_LINK_COOKIE = '_account_link'

/** Of a sign-in at a provider that an operator tests (spec/connectors#sign-in-test). */
export const SIGN_IN_TEST_COOKIE = '_sign_in_test'

/** Kept for longer than an interaction, and of no use to another host: read under its old name, too. */
const ALSO_WITHOUT_PREFIX: readonly string[] = ['i18next']

/** The prefix of the cookie that leads users back into an app (spec/pages#landing); its path is that of the callback. */
export const NATIVE_RETURN_COOKIE_PREFIX = '_social_return_'

/**
 * The name of a cookie that came over https; null for one that another host of the domain may have set. `__Secure-` does not
 * stop other hosts from setting a cookie, so it counts only for the cookie whose path rules out `__Host-`.
 */
export function nameWithoutPrefix(name: string): string | null {
  if (name.startsWith(HOST)) return name.slice(HOST.length)
  if (name.startsWith(SECURE + NATIVE_RETURN_COOKIE_PREFIX)) return name.slice(SECURE.length)
  return ALSO_WITHOUT_PREFIX.includes(name) ? name : null
}

/** Not readable by scripts, not sent with forms of other sites, and on https never sent over plain http. */
export const cookieAttributes = (url: Scheme) =>
  ({ path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure(url) }) as const

const isSecure = ({ protocol }: Scheme) => protocol === 'https:'
