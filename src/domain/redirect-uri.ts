import type { ApplicationType } from '../contract/applications.ts'
import { hasBlank } from '../contract/blank.ts'

/** What is wrong with an address that users are sent to (spec/provider#redirect-uris), as the management API words it. */
export const redirectFaults = {
  notUrl: 'is not a URL',
  fragment: 'must not have a fragment',
  scheme: 'must be http, https or a custom scheme with a dot',
  webOnly: 'must be http or https for an application of this type',
  httpElsewhere: 'may use http on a loopback address only',
  httpsLoopback: 'must not use https on a loopback address',
} as const
export type RedirectFault = keyof typeof redirectFaults

export const loopbacks: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** A reversed domain name (RFC 8252 §7.1); the dot excludes `javascript:` and similar schemes. */
const CUSTOM_SCHEME = /^[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:$/

/** Parsers of URLs drop blanks without an error: the address that is compared and the one that is used would differ. */
export function redirectFault(uri: string, type: ApplicationType): RedirectFault | null {
  const parsed = hasBlank(uri) ? null : URL.parse(uri)
  if (!parsed) return 'notUrl'
  if (uri.includes('#')) return 'fragment'

  const { protocol, hostname } = parsed
  const isWeb = protocol === 'https:' || protocol === 'http:'
  if (!isWeb && !CUSTOM_SCHEME.test(protocol)) return 'scheme'

  switch (type) {
    case 'MachineToMachine':
      return null
    case 'SPA':
    case 'Traditional':
      return isWeb ? null : 'webOnly'
    case 'Native':
      if (protocol === 'http:' && !loopbacks.has(hostname)) return 'httpElsewhere'
      if (protocol === 'https:' && loopbacks.has(hostname)) return 'httpsLoopback'
      return null
  }
}
