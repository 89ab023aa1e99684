import { hasSpaceOrControl } from '../../contract/blank.ts'
import { findOutboundUrlProblem } from '../connectors/outbound-address.ts'

/**
 * Returns the reason why this server may not fetch a client's keys or document from a URL, or null if it may
 * (spec/connectors#client-documents). The URL may come from anybody, so only the public internet is allowed, whatever
 * the tenant's settings are. In development, a server on the same machine without TLS is allowed as well.
 */
export function findDocumentUrlProblem(
  address: string,
  environment: 'production' | 'development',
): string | null {
  if (address.includes('#')) return 'must not have a fragment'
  if (environment === 'development' && isPlainLoopback(address)) return null
  return findOutboundUrlProblem(address, { allowPrivateTargets: false })
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

function isPlainLoopback(address: string): boolean {
  const url = hasSpaceOrControl(address) ? null : URL.parse(address)
  return url?.protocol === 'http:' && loopbackHosts.has(url.hostname) && !url.username && !url.password
}
