import { hasBlank } from '../../contract/blank.ts'
import { outboundProblem } from '../connectors/outbound-address.ts'

/**
 * Where a client may send this server for its keys or its description (spec/connectors#client-documents): to the public
 * internet alone, whatever the settings of a tenant allow, because the address may come from anybody. In development also
 * to a server of the same machine, without TLS.
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
