import { hasBlank } from '../../contract/blank.ts'
import { outboundProblem } from '../connectors/outbound-address.ts'

/**
 * Returns why this server may not fetch a client's keys or document from an address (spec/connectors#client-documents).
 * Only the public internet is allowed, whatever the tenant's settings, because the address may come from anybody; in
 * development also a server on the same machine, without TLS.
 */
export function documentProblem(address: string, environment: 'production' | 'development'): string | null {
  if (address.includes('#')) return 'must not have a fragment'
  if (environment === 'development' && isPlainLoopback(address)) return null
  return outboundProblem(address, { allowPrivateTargets: false })
}

const loopbacks = new Set(['localhost', '127.0.0.1', '[::1]'])

function isPlainLoopback(address: string): boolean {
  const url = hasBlank(address) ? null : URL.parse(address)
  return url?.protocol === 'http:' && loopbacks.has(url.hostname) && !url.username && !url.password
}
