import { parseSetCookie } from 'cookie'
import type { ExecutionContext, MiddlewareHandler } from 'hono'
import { cookieHeader, sentCookies } from '../../contract/request-cookies.ts'
import { copyLocation } from '../../domain/factors/sign-in-place.ts'

type ServePage = (request: Request, context: ExecutionContext) => Response | Promise<Response>

/**
 * Answers a browser's authorization request with the sign-in page itself instead of a redirect to it, which saves a
 * round trip (ADR-0174). The script then changes the URL. All other clients are redirected.
 */
export const answerWithFirstPage =
  (servePage: ServePage): MiddlewareHandler =>
  async (c, next) => {
    await next()
    const location = c.res.headers.get('location') ?? ''
    if (c.res.status !== 303 || !PAGE.test(location) || !isNavigation(c.req.raw)) return
    const cookies = c.res.headers.getSetCookie()
    const page = await servePage(requestAfterRedirect(c.req.raw, location, cookies), c.executionCtx)
    const response = new Response(page.body, page)
    for (const cookie of cookies) response.headers.append('set-cookie', cookie)
    // Hono would add the headers of the redirect to the page.
    c.res = undefined
    c.res = response
  }

/** Matches the relative URL of a page. */
const PAGE = /^\/(?!\/)/

/** Checks whether a browser will show the response in a window of its own. Older browsers don't say so. */
const isNavigation = ({ method, headers }: Request): boolean =>
  method === 'GET' &&
  headers.get('sec-fetch-mode') === 'navigate' &&
  headers.get('sec-fetch-dest') === 'document'

/** Returns the request that the browser would send after the redirect, with the cookies of both. */
function requestAfterRedirect(request: Request, location: string, setCookies: readonly string[]): Request {
  const jar = sentCookies(request.headers)
  for (const header of setCookies) {
    const { name, value = '' } = parseSetCookie(header, { decode: String })
    jar.set(name, value)
  }
  const headers = new Headers(request.headers)
  headers.set('cookie', cookieHeader(jar))
  return new Request(new URL(location, request.url), { headers, ...copyLocation(request) })
}
