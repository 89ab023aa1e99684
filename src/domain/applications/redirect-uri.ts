import type { ApplicationType, CustomClientMetadata } from '../../contract/applications/applications.ts'
import { hasBlank } from '../../contract/blank.ts'

/** What is wrong with an address that users are sent to (spec/provider#redirect-uris), as the management API words it. */
export const redirectFaults = {
  notUrl: 'is not a URL',
  fragment: 'must not have a fragment',
  scheme: 'must be http, https or a custom scheme with a dot',
  webOnly: 'must be http or https for an application of this type',
  httpElsewhere: 'may use http on a loopback address only',
  httpThirdParty: 'may use http on a loopback address only, because the application belongs to a third party',
  httpsLoopback: 'must not use https on a loopback address',
} as const
type RedirectFault = keyof typeof redirectFaults

export const loopbacks: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** A reversed domain name (RFC 8252 §7.1); the dot excludes `javascript:` and similar schemes. */
const CUSTOM_SCHEME = /^[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:$/

/** What of an application decides about the addresses that it may have. */
export type AddressOwner = { type: ApplicationType } & Pick<CustomClientMetadata, 'isThirdParty'>

/** Parsers of URLs drop blanks without an error: the address that is compared and the one that is used would differ. */
export function redirectFault(uri: string, { type, isThirdParty }: AddressOwner): RedirectFault | null {
  const parsed = hasBlank(uri) ? null : URL.parse(uri)
  if (!parsed) return 'notUrl'
  if (uri.includes('#')) return 'fragment'

  const { protocol, hostname } = parsed
  const isWeb = protocol === 'https:' || protocol === 'http:'
  if (!isWeb && !CUSTOM_SCHEME.test(protocol)) return 'scheme'

  // Whoever is on the way there could read the code of a user (RFC 6749 §3.1.2.1).
  const isReadable = protocol === 'http:' && !loopbacks.has(hostname)
  switch (type) {
    case 'MachineToMachine':
      return null
    case 'SPA':
    case 'Traditional':
      if (!isWeb) return 'webOnly'
      return isReadable && isThirdParty ? 'httpThirdParty' : null
    case 'Native':
      if (isReadable) return 'httpElsewhere'
      if (protocol === 'https:' && loopbacks.has(hostname)) return 'httpsLoopback'
      return null
  }
}
