import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import type { CookieChange } from '../application/cookie-change.ts'

export function writeCookies(c: Context, changes: readonly CookieChange[]): void {
  for (const { name, value, expires, maxAgeSeconds: maxAge } of changes) {
    setCookie(c, name, value, {
      ...cookieAttributes(c),
      ...(expires && { expires }),
      ...(maxAge !== undefined && { maxAge }),
    })
  }
}

/** Not readable by scripts, not sent with forms of other sites, and on https never sent over plain http. */
const cookieAttributes = (c: Context) =>
  ({
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: new URL(c.req.url).protocol === 'https:',
  }) as const
