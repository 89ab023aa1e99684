import { parseSetCookie } from 'cookie'
import type { ExecutionContext } from 'hono'
import { cookieHeader, sentCookies } from '../contract/request-cookies.ts'
import { copyLocation } from '../domain/factors/sign-in-place.ts'

/** Calls the API within this Worker, without a network request. The app passes itself, with its middleware. */
export type InProcessApi = {
  fetch(request: Request, context: ExecutionContext): Response | Promise<Response>
}

/** Calls the app directly, with the signature of `fetch`. */
export type InProcessFetch = (request: Request) => Response | Promise<Response>

/** The headers to copy from the browser's request to the API call. */
const BROWSER_HEADERS = ['cf-connecting-ip', 'origin', 'sec-fetch-site', 'user-agent'] as const

/** Cookie values are not changed, because other applications on this host may set cookies, too. */
const verbatim = { decode: String }

/**
 * Makes API calls on behalf of a browser without JavaScript. The calls have the browser's cookies, including those that
 * a previous call has set. The page's response must set `setCookies` in the browser.
 */
export function createFormClient(request: Request, call: InProcessFetch) {
  const jar = sentCookies(request.headers)
  const cookies = new Map<string, string>()

  return {
    async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
      const target = input instanceof Request ? input : new URL(input, request.url)
      const inProcessRequest = new Request(target, { ...init, ...copyLocation(request) })
      for (const name of BROWSER_HEADERS) {
        const value = request.headers.get(name)
        if (value !== null) inProcessRequest.headers.set(name, value)
      }
      inProcessRequest.headers.set('cookie', cookieHeader(jar))

      const response = await call(inProcessRequest)
      for (const header of response.headers.getSetCookie()) {
        const { name, value, maxAge, expires } = parseSetCookie(header, verbatim)
        cookies.set(name, header)
        if (isExpired(maxAge, expires)) jar.delete(name)
        else jar.set(name, value ?? '')
      }
      return response
    },

    /** Returns the last `Set-Cookie` header for each cookie name. */
    setCookies: (): string[] => [...cookies.values()],
  }
}

/**
 * Checks whether a header deletes its cookie. We use `Max-Age=0`, and oidc-provider uses an expiry date at the epoch.
 * `Max-Age` takes precedence (RFC 6265 §5.3).
 */
function isExpired(maxAge: number | undefined, expires: Date | undefined): boolean {
  if (maxAge !== undefined) return maxAge <= 0
  return expires !== undefined && expires.getTime() <= 0
}
