import { serialize } from 'hono/utils/cookie'
import { NAVIGATION_STATE_SECONDS, navigationCookieName } from '../storage/interactions.ts'

/** The sealed navigation state of an interaction as a `Set-Cookie` header (spec/pages#navigation-state). */
export function navigationCookie({ url, uid, sealed }: { url: URL; uid: string; sealed: string }): string {
  return serialize(navigationCookieName(uid), sealed, {
    path: '/',
    maxAge: NAVIGATION_STATE_SECONDS,
    httpOnly: true,
    sameSite: 'Lax',
    secure: url.protocol === 'https:',
  })
}
