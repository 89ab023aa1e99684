import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import type { CookieChange } from '../application/request.ts'
import { hostCookie } from '../contract/cookie-names.ts'

export function writeCookies(c: Context, changes: readonly CookieChange[]): void {
  const url = new URL(c.req.url)
  for (const { name, value, expires, maxAgeSeconds: maxAge } of changes) {
    setCookie(c, hostCookie(name, url), value, {
      ...cookieAttributes(url),
      ...(expires && { expires }),
      ...(maxAge !== undefined && { maxAge }),
    })
  }
}

/** Not readable by scripts, not sent with forms of other sites, and on https never sent over plain http. */
const cookieAttributes = ({ protocol }: URL) =>
  ({
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: protocol === 'https:',
  }) as const
