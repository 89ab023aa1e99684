import { parseCookie } from 'cookie'
import { nameWithoutPrefix } from './cookie-names.ts'

/**
 * Returns the cookies of a request by their names without prefixes, leaving out cookies that another host of the domain
 * may have set. Only this file reads the `Cookie` header, so the prefixes that cookies have over https are never
 * forgotten (tests/map.test.ts).
 */
export function requestCookies({
  headers,
  url,
}: Pick<Request, 'headers' | 'url'>): Readonly<Record<string, string>> {
  const cookies = parseCookie(headers.get('cookie') ?? '')
  const isSecure = url.startsWith('https:')
  const cookiesByName: Record<string, string> = Object.create(null)
  for (const [sentName, value = ''] of Object.entries(cookies)) {
    const name = isSecure ? nameWithoutPrefix(sentName) : sentName
    // Some cookies are accepted with and without a prefix. If both are present, the one with a prefix takes precedence.
    if (name !== null && (name !== sentName || cookiesByName[name] === undefined)) cookiesByName[name] = value
  }
  return cookiesByName
}

/** Returns the cookies as the browser sent them: names keep their prefixes, and values are not decoded. */
export const sentCookies = (headers: Headers): Map<string, string> =>
  new Map(
    Object.entries(parseCookie(headers.get('cookie') ?? '', verbatim)).map(([name, value = '']) => [
      name,
      value,
    ]),
  )

/** Formats cookies as a header value. This is the inverse of `sentCookies`. */
export const cookieHeader = (cookies: ReadonlyMap<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/**
 * Values are not encoded: a cookie may belong to another application on this host, which expects its value unchanged.
 */
const verbatim = { decode: String }
