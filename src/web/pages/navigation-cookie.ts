import { serialize } from 'hono/utils/cookie'
import { hostCookie } from '../../contract/cookie-names.ts'
import { NAVIGATION_STATE_SECONDS, navigationCookieName } from '../../storage/interactions/interactions.ts'

/** The sealed navigation state of an interaction as a `Set-Cookie` header (spec/pages#navigation-state). */
export function navigationCookie({ url, uid, sealed }: { url: URL; uid: string; sealed: string }): string {
  return serialize(hostCookie(navigationCookieName(uid), url), sealed, {
    path: '/',
    maxAge: NAVIGATION_STATE_SECONDS,
    httpOnly: true,
    sameSite: 'Lax',
    secure: url.protocol === 'https:',
  })
}
