import { createHmac, timingSafeEqual } from 'node:crypto'
import { cookieHeader, sentCookies } from '../../contract/request-cookies.ts'

/**
 * Keeps users signed in whose session began before the session cookie had a prefix (spec/provider#cookies). The signed
 * cookie with the old name is then read as if it had the new one. Newer sessions are excluded, because any host of the
 * domain can set a cookie with the old name.
 */
type CarriedSession = { headers: Headers; isCarried: boolean }

const OLD_NAME = '_session'
const CURRENT_NAME = '__Host-_session'

export function carryOverSession({ url, headers }: Request, cookieKeys: readonly string[]): CarriedSession {
  if (!url.startsWith('https:')) return { headers, isCarried: false }
  const cookies = sentCookies(headers)
  const [value, signature, present] = [OLD_NAME, `${OLD_NAME}.sig`, CURRENT_NAME].map((name) =>
    cookies.get(name),
  )
  const [key] = cookieKeys
  if (!key || present !== undefined || value === undefined || signature === undefined)
    return { headers, isCarried: false }
  const isOurs = cookieKeys.some((each) => isEqual(signCookie(`${OLD_NAME}=${value}`, each), signature))
  if (!isOurs) return { headers, isCarried: false }

  const carriedHeaders = new Headers(headers)
  cookies.set(CURRENT_NAME, value).set(`${CURRENT_NAME}.sig`, signCookie(`${CURRENT_NAME}=${value}`, key))
  carriedHeaders.set('cookie', cookieHeader(cookies))
  return { headers: carriedHeaders, isCarried: true }
}

/** Deletes the cookies with the old name if the response sets or deletes the current cookie. */
export function deleteOldSessionCookies({ headers }: Response): void {
  if (!headers.getSetCookie().some((line) => line.startsWith(`${CURRENT_NAME}=`))) return
  for (const name of [OLD_NAME, `${OLD_NAME}.sig`])
    headers.append('set-cookie', `${name}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax`)
}

/** Signs a cookie as the library does (keygrip). */
export const signCookie = (text: string, key: string) =>
  createHmac('sha1', key).update(text).digest('base64url')

function isEqual(expected: string, actual: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(actual)]
  return one.length === other.length && timingSafeEqual(one, other)
}
