/**
 * Remembers in this browser that it did not answer a request to create a passkey without asking the user, so that the
 * next sign-ins do not wait for another request (spec/pages#passkey-offer).
 */

const KEY = 'silent_passkey'
/**
 * The time after which a request is tried again, because the browser may have been updated. We chose the time for which
 * an offer is postponed.
 */
const RETRY_AFTER = 30 * 24 * 3_600_000 // in milliseconds

/** Records that a request has begun. The record stays until the request is answered, even if the page is closed. */
export function recordSilentRequest(now: number): void {
  try {
    localStorage.setItem(KEY, String(now))
  } catch {
    // If storage is blocked, the next sign-in waits again.
  }
}

export function forgetSilentRequest(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {}
}

export function hasUnansweredRequest(now: number): boolean {
  try {
    return now - Number(localStorage.getItem(KEY) ?? Number.NEGATIVE_INFINITY) < RETRY_AFTER
  } catch {
    return false
  }
}
