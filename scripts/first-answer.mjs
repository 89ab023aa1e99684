import { localFetch } from '../operator/local-fetch.ts'

/**
 * Waits until the local server responds with 204.
 *
 * @param {string} url
 * @param {{ within: number, onRequest?: () => void }} options `within` in milliseconds; `onRequest` is called before each request,
 *   because wrangler logs it
 * @returns {Promise<string | undefined>} the problem if the server is not ready in time
 */
export async function waitForServer(url, { within, onRequest }) {
  const deadline = Date.now() + within
  let problem = "doesn't respond"
  while (Date.now() < deadline) {
    onRequest?.()
    try {
      const { status } = await localFetch(url, { signal: AbortSignal.timeout(deadline - Date.now()) })
      if (status === 204) return undefined
      problem = `responds with ${status}`
    } catch {
      // The last attempt has little time, so an earlier response says more.
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return problem
}
