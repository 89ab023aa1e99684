import { parseSetCookie } from 'cookie'
import type { ExecutionContext } from 'hono'
import { cookieHeader, sentCookies } from '../contract/request-cookies.ts'
import { keepLocation } from '../domain/factors/sign-in-place.ts'

/** The API, called without a network. The app passes itself, with its middleware. */
export type InProcessApi = {
  fetch(request: Request, context: ExecutionContext): Response | Promise<Response>
}

/** A call of the app itself in place of the network. */
export type InProcessFetch = (request: Request) => Response | Promise<Response>

/** What the user's browser would have sent, had it made the call. */
const BROWSER_HEADERS = ['cf-connecting-ip', 'origin', 'sec-fetch-site', 'user-agent'] as const

/** Values pass through as they were written, those of other applications on this host too. */
const verbatim = { decode: String }

/**
 * Makes the calls of a journey for a user whose browser runs no script, with the user's cookies. A cookie that one call
 * sets goes with the next, and `setCookies` has to reach the browser with the page.
 */
export function formClient(request: Request, call: InProcessFetch) {
  const jar = sentCookies(request.headers)
  const cookies = new Map<string, string>()

  return {
    async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
      const target = input instanceof Request ? input : new URL(input, request.url)
      const made = new Request(target, { ...init, ...keepLocation(request) })
      for (const name of BROWSER_HEADERS) {
        const value = request.headers.get(name)
        if (value !== null) made.headers.set(name, value)
      }
      made.headers.set('cookie', cookieHeader(jar))

      const answer = await call(made)
      for (const header of answer.headers.getSetCookie()) {
        const { name, value, maxAge, expires } = parseSetCookie(header, verbatim)
        cookies.set(name, header)
        if (isExpired(maxAge, expires)) jar.delete(name)
        else jar.set(name, value ?? '')
      }
      return answer
    },

    /** The last `Set-Cookie` of every name. */
    setCookies: (): string[] => [...cookies.values()],
  }
}

/** This product's cookies end by `Max-Age=0`, oidc-provider's at the epoch; `Max-Age` has precedence (RFC 6265 §5.3). */
function isExpired(maxAge: number | undefined, expires: Date | undefined): boolean {
  if (maxAge !== undefined) return maxAge <= 0
  return expires !== undefined && expires.getTime() <= 0
}
