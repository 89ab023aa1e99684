import { serialize } from 'hono/utils/cookie'
import type { Dependencies } from '../application/dependencies.ts'
import { cookieAttributes, hostCookieName } from '../contract/cookie-names.ts'
import { requestCookies } from '../contract/request-cookies.ts'
import type { SealLabel } from '../storage/seal.ts'

/**
 * Returns a `Set-Cookie` header for the whole host. `maxAge` is in seconds; without it, the cookie expires with
 * the browser session.
 */
export const formatSetCookie = (name: string, value: string, url: URL, maxAge?: number): string =>
  serialize(hostCookieName(name, url), value, { ...cookieAttributes(url), maxAge })

/** Returns a `Set-Cookie` header that deletes a cookie. */
export const expireCookie = (name: string, url: URL): string => formatSetCookie(name, '', url, 0)

/** Returns the contents of a sealed cookie, or null if it is missing, damaged or sealed with another label. */
export async function unsealCookie(
  { seals }: Pick<Dependencies, 'seals'>,
  request: Request,
  { name, label }: { name: string; label: SealLabel },
): Promise<unknown> {
  const sealed = requestCookies(request)[name]
  return sealed ? seals.open(label, sealed) : null
}
