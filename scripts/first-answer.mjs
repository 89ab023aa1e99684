import { request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'

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
      const status = await statusOf(url, deadline - Date.now())
      if (status === 204) return undefined
      problem = `answers ${status}`
    } catch {
      problem = 'does not answer'
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return problem
}

/**
 * With `--local-protocol https` wrangler makes a certificate of its own, which nothing trusts. The server is the child of
 * this process, and it is sent nothing but the question.
 *
 * @param {string} url
 * @param {number} timeout
 * @returns {Promise<number | undefined>}
 */
function statusOf(url, timeout) {
  const asked = url.startsWith('https:')
    ? requestByHttps(url, { timeout, rejectUnauthorized: false, agent: false })
    : requestByHttp(url, { timeout, agent: false })
  return new Promise((resolve, reject) => {
    asked
      .once('response', (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      .once('timeout', () => asked.destroy(new Error('timeout')))
      .once('error', reject)
      .end()
  })
}
