import { parseSetCookie } from 'cookie'
import type { ExecutionContext } from 'hono'
import { cookieHeader, sentCookies } from '../contract/request-cookies.ts'
import { copyLocation } from '../domain/factors/sign-in-place.ts'

/** Calls the API within this Worker, without the network. The app passes itself, with its middleware. */
export type InProcessApi = {
  fetch(request: Request, context: ExecutionContext): Response | Promise<Response>
}

/** A function with the signature of `fetch` that calls the app itself. */
export type InProcessFetch = (request: Request) => Response | Promise<Response>

/** The headers that the user's browser would have sent with the call. */
const BROWSER_HEADERS = ['cf-connecting-ip', 'origin', 'sec-fetch-site', 'user-agent'] as const

/** Cookie values are passed on unchanged, including those of other applications on this host. */
const verbatim = { decode: String }

/**
 * Makes API calls for a user whose browser runs no script, with the user's cookies. Cookies that one call sets are sent
 * with the next one, and `setCookies` must be sent to the browser with the page.
 */
export function formClient(request: Request, call: InProcessFetch) {
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

    /** Returns the last `Set-Cookie` header for each name. */
    setCookies: (): string[] => [...cookies.values()],
  }
}

/**
 * Returns whether a header deletes its cookie. This product deletes cookies with `Max-Age=0`, oidc-provider with an
 * expiry at the epoch; `Max-Age` takes precedence (RFC 6265 §5.3).
 */
function isExpired(maxAge: number | undefined, expires: Date | undefined): boolean {
  if (maxAge !== undefined) return maxAge <= 0
  return expires !== undefined && expires.getTime() <= 0
}
