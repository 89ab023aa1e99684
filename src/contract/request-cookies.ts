import { parseCookie } from 'cookie'
import { nameWithoutPrefix } from './cookie-names.ts'

/**
 * The cookies of a request by their names without prefix. Cookies that another host of the domain may have set are left out. No
 * other file reads the header, so that none can miss the prefixes that names have over https (tests/map.test.ts).
 */
export function requestCookies({
  headers,
  url,
}: Pick<Request, 'headers' | 'url'>): Readonly<Record<string, string>> {
  const cookies = parseCookie(headers.get('cookie') ?? '')
  const isSecure = url.startsWith('https:')
  const own: Record<string, string> = Object.create(null)
  for (const [sentName, value = ''] of Object.entries(cookies)) {
    const name = isSecure ? nameWithoutPrefix(sentName) : sentName
    // Some cookies are read under their old name, too: the one with a prefix takes precedence.
    if (name !== null && (name !== sentName || own[name] === undefined)) own[name] = value
  }
  return own
}

/** The cookies as the browser sent them: names with their prefixes, values not decoded. */
export const sentCookies = (headers: Headers): Map<string, string> =>
  new Map(
    Object.entries(parseCookie(headers.get('cookie') ?? '', verbatim)).map(([name, value = '']) => [
      name,
      value,
    ]),
  )

/** Formats cookies as a header value: the inverse of `sentCookies`. */
export const cookieHeader = (cookies: ReadonlyMap<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** Values of other applications at this host pass through unchanged. */
const verbatim = { decode: String }
