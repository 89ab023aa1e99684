import { localFetch } from './local-fetch.mjs'

/**
 * Waits until the local server answers 204.
 *
 * @param {string} url
 * @param {{ within: number, asking?: () => void }} options `within` in milliseconds; `asking` is called before each request,
 *   because wrangler logs it
 * @returns {Promise<string | undefined>} the problem, if it does not in time
 */
export async function firstAnswer(url, { within, asking }) {
  const deadline = Date.now() + within
  let problem = 'does not answer'
  while (Date.now() < deadline) {
    asking?.()
    try {
      const { status } = await localFetch(url, { signal: AbortSignal.timeout(deadline - Date.now()) })
      if (status === 204) return undefined
      problem = `answers ${status}`
    } catch {
      problem = 'does not answer'
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return problem
}
