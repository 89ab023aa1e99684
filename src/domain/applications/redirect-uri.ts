import type { ApplicationType, CustomClientMetadata } from '../../contract/applications/applications.ts'
import { hasBlank } from '../../contract/blank.ts'

/**
 * The possible problems of an address to which users are sent (spec/provider#redirect-uris), with the message of the
 * management API.
 */
export const redirectFaults = {
  notUrl: 'is not a URL',
  fragment: 'must not have a fragment',
  scheme: 'must be http, https or a custom scheme with a dot',
  webOnly: 'must be http or https for an application of this type',
  httpElsewhere: 'may use http only on a loopback address',
  httpThirdParty: 'may use http only on a loopback address, because the application belongs to a third party',
  httpsLoopback: 'must not use https on a loopback address',
} as const
type RedirectFault = keyof typeof redirectFaults

export const loopbacks: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** A reversed domain name (RFC 8252 §7.1). The dot excludes `javascript:` and similar schemes. */
const CUSTOM_SCHEME = /^[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:$/

/** The part of an application that decides which addresses it may have. */
export type AddressOwner = { type: ApplicationType } & Pick<CustomClientMetadata, 'isThirdParty'>

/**
 * Returns the problem of an address. White space is rejected: URL parsers drop it silently, so the address compared
 * would differ from the one used.
 */
export function redirectFault(uri: string, { type, isThirdParty }: AddressOwner): RedirectFault | null {
  const parsed = hasBlank(uri) ? null : URL.parse(uri)
  if (!parsed) return 'notUrl'
  if (uri.includes('#')) return 'fragment'

  const { protocol, hostname } = parsed
  const isWeb = protocol === 'https:' || protocol === 'http:'
  if (!isWeb && !CUSTOM_SCHEME.test(protocol)) return 'scheme'

  // Anybody on the network path could read a user's code (RFC 6749 §3.1.2.1).
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
