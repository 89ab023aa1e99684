import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { addressOf, closeServer } from './provider-server.ts'

/** A made-up password that the stub reports as breached and that is not in any list of common passwords. */
export const BREACHED_PASSWORD = 'leaked-horse-7'
/** A password whose hash the stub returns as padding. Its count is 0, so the password is not breached. */
export const PADDED_PASSWORD = 'padded-horse-7'

export type RangeRequest = { path: string; headers: Record<string, unknown>; problem: string | null }

/**
 * Starts a stub of Have I Been Pwned that follows the service's documentation, at
 * `/{caller}/{behaviour}/{prefix}`. With the behaviour `ok`, it checks the request. `/{caller}/received`
 * returns the requests that it has received.
 */
export function startRanges(): Promise<{ url: string; close(): void }> {
  const received = new Map<string, RangeRequest[]>()
  const server = createServer(({ url = '', headers, method }, response) => {
    const [, caller = '', behaviour = '', prefix = ''] = url.split('/')
    if (behaviour === 'received') return response.end(JSON.stringify(received.get(caller) ?? []))
    const problem = problemOf({ method, prefix, headers })
    received.set(caller, [...(received.get(caller) ?? []), { path: `/${prefix}`, headers, problem }])
    const answer = (status: number, body: string, more = {}) => {
      response.writeHead(status, { 'content-type': 'text/plain', ...more })
      response.end(body)
    }
    switch (behaviour) {
      case 'ok':
        return problem ? answer(400, problem) : answer(200, rangeOf(prefix))
      case 'failing':
        return answer(503, 'Service Unavailable')
      case 'malformed':
        return answer(200, '<html>Welcome to the captive portal</html>')
      case 'redirecting':
        return answer(307, '', { location: `/${caller}/ok/${prefix}` })
      case 'endless':
        return answer(200, `${rangeOf(prefix)}\r\n`.repeat(4_000))
      case 'slow':
        return void setTimeout(() => answer(200, rangeOf(prefix)), 20_000).unref()
      default:
        return answer(404, '')
    }
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ url: addressOf(server), close: () => closeServer(server) }))
  })
}

const problemOf = ({ method, prefix, headers }: { method?: string; prefix: string; headers: object }) => {
  if (method !== 'GET') return 'The method must be GET'
  if (!/^[0-9A-F]{5}$/.test(prefix)) return 'The hash prefix was not in a valid format'
  const { 'add-padding': padding, 'user-agent': agent } = headers as Record<string, string | undefined>
  return padding === 'true' && agent ? null : 'Padding and a user agent are required'
}

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase()

/**
 * Returns the known hashes with this prefix among 800 other lines, which is the minimum length of a response.
 */
function rangeOf(prefix: string): string {
  const known = [
    { hash: sha1(BREACHED_PASSWORD), count: 42 },
    { hash: sha1(PADDED_PASSWORD), count: 0 },
  ].filter(({ hash }) => hash.startsWith(prefix))
  const others = Array.from({ length: 800 }, (_, index) => ({
    hash: `${prefix}${sha1(`${prefix} ${index}`).slice(5)}`,
    count: index < 600 ? index + 1 : 0,
  }))
  return [...known, ...others]
    .toSorted((one, other) => one.hash.localeCompare(other.hash))
    .map(({ hash, count }) => `${hash.slice(5)}:${count}`)
    .join('\r\n')
}
