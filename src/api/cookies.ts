import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import type { CookieChange } from '../application/request.ts'
import { cookieAttributes, hostCookieName } from '../contract/cookie-names.ts'

export function writeCookies(c: Context, changes: readonly CookieChange[]): void {
  const url = new URL(c.req.url)
  for (const { name, value, expires, maxAgeSeconds: maxAge } of changes) {
    setCookie(c, hostCookieName(name, url), value, {
      ...cookieAttributes(url),
      ...(expires && { expires }),
      ...(maxAge !== undefined && { maxAge }),
    })
  }
}
