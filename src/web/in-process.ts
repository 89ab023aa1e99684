import type { ExecutionContext } from 'hono'

/** Our own API, called without a network (design 1). The app passes itself, with its middleware. */
export type Api = {
  fetch(request: Request, context: ExecutionContext): Response | Promise<Response>
}

/** What the visitor's browser would have said of itself, had it made the call. */
const HEADERS_OF_THE_VISITOR = ['cf-connecting-ip', 'origin', 'sec-fetch-site', 'user-agent'] as const

/**
 * A visitor whose browser runs no script: the calls of a journey are made for them, with their cookies. What one
 * call sets, the next one sends, and `cookies` has to reach the browser with the page.
 */
export function formClient(request: Request, call: (request: Request) => Response | Promise<Response>) {
  const jar = readCookies(request.headers.get('cookie'))
  const cookies = new Map<string, string>()

  return {
    async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
      const made = new Request(input instanceof Request ? input : new URL(input, request.url), init)
      for (const name of HEADERS_OF_THE_VISITOR) {
        const value = request.headers.get(name)
        if (value !== null) made.headers.set(name, value)
      }
      made.headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))

      const answer = await call(made)
      for (const header of answer.headers.getSetCookie()) {
        const { name, value } = readSetCookie(header)
        cookies.set(name, header)
        if (isExpired(header)) jar.delete(name)
        else jar.set(name, value)
      }
      return answer
    },

    /** The last `Set-Cookie` of every name. */
    setCookies: (): string[] => [...cookies.values()],
  }
}

function readCookies(header: string | null): Map<string, string> {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return new Map(pairs.filter((pair) => pair.includes('=')).map(readPair))
}

function readSetCookie(header: string): { name: string; value: string } {
  const [name, value] = readPair(header.split(';', 1)[0] ?? '')
  return { name, value }
}

function readPair(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=')
  return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
}

/** Our cookies end by `Max-Age=0`, the provider's by a date long past. */
function isExpired(header: string): boolean {
  const maxAge = /;\s*max-age=(-?\d+)/i.exec(header)?.[1]
  if (maxAge !== undefined) return Number(maxAge) <= 0
  const expires = /;\s*expires=([^;]+)/i.exec(header)?.[1]
  return expires !== undefined && Date.parse(expires) <= Date.parse('1971-01-01')
}
