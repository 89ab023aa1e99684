import { serialize } from 'hono/utils/cookie'
import { STEP_SECONDS, stepCookieName } from '../storage/interactions.ts'

/** The sealed step of an interaction as a `Set-Cookie` header (decision 7). */
export function navigationCookie({ url, uid, sealed }: { url: URL; uid: string; sealed: string }): string {
  return serialize(stepCookieName(uid), sealed, {
    path: '/',
    maxAge: STEP_SECONDS,
    httpOnly: true,
    sameSite: 'Lax',
    secure: url.protocol === 'https:',
  })
}
