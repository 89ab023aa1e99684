import { createHmac, timingSafeEqual } from 'node:crypto'
import { cookieHeader, sentCookies } from '../../contract/request-cookies.ts'

/**
 * Users who signed in before the session's cookie got its prefix stay signed in (spec/provider#cookies): the signed cookie
 * with the old name is read as the new one. Only for sessions of that time: any host of the domain can set the old name.
 */
type CarriedSession = { headers: Headers; isCarried: boolean }

const OLD = '_session'
const PRESENT = '__Host-_session'

export function carrySession({ url, headers }: Request, cookieKeys: readonly string[]): CarriedSession {
  if (!url.startsWith('https:')) return { headers, isCarried: false }
  const cookies = sentCookies(headers)
  const [value, signature, present] = [OLD, `${OLD}.sig`, PRESENT].map((name) => cookies.get(name))
  const [key] = cookieKeys
  if (!key || present !== undefined || value === undefined || signature === undefined)
    return { headers, isCarried: false }
  const isOurs = cookieKeys.some((each) => isEqual(sign(`${OLD}=${value}`, each), signature))
  if (!isOurs) return { headers, isCarried: false }

  const carried = new Headers(headers)
  cookies.set(PRESENT, value).set(`${PRESENT}.sig`, sign(`${PRESENT}=${value}`, key))
  carried.set('cookie', cookieHeader(cookies))
  return { headers: carried, isCarried: true }
}

/** For an answer that sets the present cookie, or deletes it. */
export function forgetOldSession({ headers }: Response): void {
  if (!headers.getSetCookie().some((line) => line.startsWith(`${PRESENT}=`))) return
  for (const name of [OLD, `${OLD}.sig`])
    headers.append('set-cookie', `${name}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax`)
}

/** As the library's cookies are signed (keygrip). */
const sign = (text: string, key: string) => createHmac('sha1', key).update(text).digest('base64url')

function isEqual(expected: string, actual: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(actual)]
  return one.length === other.length && timingSafeEqual(one, other)
}
