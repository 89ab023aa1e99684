import { UsageError } from './failure.ts'

/**
 * The origin of a deployment, and whether it runs on this machine.
 * @throws {UsageError} for an address that secrets and tokens must not be sent to.
 */
export function parseOrigin(address: string): { origin: string; isLocal: boolean } {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError('The origin must be an http or https address.')
  const isLocal = /^(?:localhost|.*\.localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !isLocal)
    throw new UsageError(`${url.origin} does not use TLS: a secret must not be sent there.`)
  return { origin: url.origin, isLocal }
}
