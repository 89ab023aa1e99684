/** The time limit of an attempt, and the longest `Retry-After` delay that the call waits for (spec/pages#calls). */
const TIMEOUT_MS = 10_000 // spec/limits#page-calls
const WAITS_MS = [300, 600]
/** No attempt starts later, so that the user has an answer after thirty seconds at most. Our choice. */
const LATEST_START_MS = 20_000

const REPEATABLE = /^(?:GET|PUT|HEAD|DELETE|OPTIONS|TRACE)$/i
const TRANSIENT = /^(?:408|413|429|500|502|503|504)$/
const MAY_NAME_DELAY = /^(?:413|429|503)$/

/** The name of the error for a call that received no response because the network is down (spec/errors#handling). */
export const NETWORK_ERROR = 'NetworkError'

/** Calls `fetch` with a timeout of ten seconds for each attempt, and retries as specified in spec/pages#calls. */
export async function fetchWithRetries(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const waits = REPEATABLE.test(init.method ?? 'GET') ? WAITS_MS : []
  const latestStart = Date.now() + LATEST_START_MS
  for (const wait of waits) {
    const outcome = await attempt(input, init)
    const pause = outcome instanceof Response ? pauseAfter(outcome, wait) : wait
    if (pause === null || Date.now() + pause > latestStart) return resultOf(outcome)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
  return resultOf(await attempt(input, init))
}

/**
 * Returns the error of a failed connection, but throws a timeout: users who have waited that long should not have to
 * wait again. `fetch` reports a failed connection as a TypeError, which could also be a programming error, so it is
 * renamed.
 */
const attempt = (input: RequestInfo | URL, init: RequestInit): Promise<Response | DOMException> =>
  fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
    if (error instanceof TypeError) return new DOMException(error.message, NETWORK_ERROR)
    throw error
  })

function resultOf(outcome: Response | DOMException): Response {
  if (outcome instanceof Response) return outcome
  throw outcome
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
