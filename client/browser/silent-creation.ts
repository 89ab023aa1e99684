/**
 * Remembers in this browser that a request for a passkey without a question went unanswered, so that the next sign-ins
 * do not wait for another one (spec/pages#passkey-offer).
 */

const KEY = 'silent_passkey'
/** When to try again, because the browser may have been updated: as long as a postponed offer. Our choice. */
const RETRY_AFTER = 30 * 24 * 3_600_000 // in milliseconds

/** Records that a request has begun. Unless it is answered, the record stays, even if the page is closed meanwhile. */
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
