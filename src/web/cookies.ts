import { serialize } from 'hono/utils/cookie'
import type { Dependencies } from '../application/dependencies.ts'
import { cookieAttributes, hostCookieName } from '../contract/cookie-names.ts'
import { requestCookies } from '../contract/request-cookies.ts'
import type { Label } from '../storage/seal.ts'

/** A cookie for the whole host as a `Set-Cookie` header. Without an age, in seconds, it ends with the browser. */
export const setCookie = (name: string, value: string, url: URL, maxAge?: number): string =>
  serialize(hostCookieName(name, url), value, { ...cookieAttributes(url), maxAge })

/** As a `Set-Cookie` header. */
export const expireCookie = (name: string, url: URL): string => setCookie(name, '', url, 0)

/** Null for a cookie that is missing, was sealed under another label or is damaged. */
export async function openSealedCookie(
  { seals }: Pick<Dependencies, 'seals'>,
  request: Request,
  { name, label }: { name: string; label: Label },
): Promise<unknown> {
  const sealed = requestCookies(request)[name]
  return sealed ? seals.open(label, sealed) : null
}
