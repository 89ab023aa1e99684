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

/** Kept for longer than an interaction, and of no use to another host: read under their old names, too. */
const ALSO_WITHOUT_PREFIX: readonly string[] = ['_known', 'i18next']

/** The cookies of a request by their names without prefix. Over https, those that another host may have set are left out. */
export function ownCookies(
  cookies: Readonly<Record<string, string>>,
  url: Scheme,
): Readonly<Record<string, string>> {
  if (!isSecure(url)) return cookies
  const all = Object.entries(cookies)
  return Object.fromEntries([
    ...all.filter(([name]) => ALSO_WITHOUT_PREFIX.includes(name)),
    ...all.flatMap(([name, value]) =>
      [HOST, SECURE].flatMap((prefix) =>
        name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
      ),
    ),
  ])
}

const isSecure = ({ protocol }: Scheme) => protocol === 'https:'
