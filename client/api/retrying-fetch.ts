/** The time limit of an attempt, and the longest `Retry-After` delay that the call waits for (spec/pages#calls). */
const TIMEOUT_MS = 10_000 // spec/limits#page-calls
const WAITS_MS = [300, 600]

const REPEATABLE = /^(?:GET|PUT|HEAD|DELETE|OPTIONS|TRACE)$/i
const TRANSIENT = /^(?:408|413|429|500|502|503|504)$/
const MAY_NAME_DELAY = /^(?:413|429|503)$/

/** The name of the error for a call that received no response because the network is down (spec/errors#handling). */
export const NETWORK_ERROR = 'NetworkError'

/** Calls `fetch` with a timeout of ten seconds for each attempt, and retries as specified in spec/pages#calls. */
export async function fetchWithRetries(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const waits = REPEATABLE.test(init.method ?? 'GET') ? WAITS_MS : []
  for (const wait of waits) {
    const response = await attempt(input, init).catch(withoutTimeout)
    const pause = response ? pauseAfter(response, wait) : wait
    if (response && pause === null) return response
    await new Promise((resolve) => setTimeout(resolve, pause ?? wait))
  }
  return attempt(input, init).catch(withoutAnswer)
}

const attempt = (input: RequestInfo | URL, init: RequestInit) =>
  fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })

/**
 * Returns null for a failed connection, but rethrows a timeout: users who have waited that long should not have
 * to wait again.
 */
function withoutTimeout(error: unknown): null {
  if (error instanceof Error && error.name === 'TimeoutError') throw error
  return null
}

/**
 * Renames the error of a failed connection, because `fetch` reports it as a TypeError, which could also be a
 * programming error.
 */
function withoutAnswer(error: unknown): never {
  throw error instanceof TypeError ? new DOMException(error.message, NETWORK_ERROR) : error
}

/**
 * Returns how long to wait before retrying the call, or null if it must not be retried. If the delay is longer than the
 * user would wait for a response, the page says when to try again.
 */
function pauseAfter(response: Response, wait: number): number | null {
  if (!TRANSIENT.test(String(response.status))) return null
  const pause = retryAfterMs(response) ?? wait
  return pause > TIMEOUT_MS ? null : pause
}

/** Returns the delay that a response asks for, or null if it names none. */
export function retryAfterMs({ status, headers }: Pick<Response, 'status' | 'headers'>): number | null {
  const retryAfter = MAY_NAME_DELAY.test(String(status)) ? headers.get('Retry-After') : null
  if (retryAfter === null) return null
  // The header contains a number of seconds or a date (RFC 9110 §10.2.3).
  const seconds = Number(retryAfter)
  const delay = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1000
  return Number.isNaN(delay) ? null : Math.max(0, delay)
}
