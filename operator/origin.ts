import { UsageError } from './failure.ts'

/**
 * Returns the origin of a deployment, and whether it runs on this machine.
 *
 * @throws {UsageError} if secrets and tokens must not be sent to the URL
 */
export function parseOrigin(text: string): { origin: string; isLocal: boolean } {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError('The origin must be an http or https URL.')
  const isLocal = /^(?:localhost|.*\.localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !isLocal)
    throw new UsageError(`${url.origin} doesn't use TLS, so we won't send a secret there. Use https.`)
  return { origin: url.origin, isLocal }
}
