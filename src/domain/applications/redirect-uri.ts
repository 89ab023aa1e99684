import type { ApplicationType, CustomClientMetadata } from '../../contract/applications/applications.ts'
import { hasSpaceOrControl } from '../../contract/blank.ts'

/**
 * The possible problems with a URL to which users are redirected (spec/provider#redirect-uris), with their messages in
 * the management API.
 */
export const redirectUriProblems = {
  notUrl: 'is not a URL',
  fragment: 'must not have a fragment',
  scheme: 'must be http, https or a custom scheme with a dot',
  webOnly: 'must be http or https for an application of this type',
  httpElsewhere: 'may use http only on a loopback address',
  httpThirdParty: 'may use http only on a loopback address, because the application belongs to a third party',
  httpsLoopback: 'must not use https on a loopback address',
} as const
type RedirectUriProblem = keyof typeof redirectUriProblems

export const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Matches a reversed domain name (RFC 8252 §7.1). The required dot excludes `javascript:` and similar schemes. */
const CUSTOM_SCHEME = /^[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:$/

/** The properties of an application that determine which URLs it may have. */
export type RedirectUriOwner = { type: ApplicationType } & Pick<CustomClientMetadata, 'isThirdParty'>

/**
 * Returns the problem with a URL. White space is rejected, because URL parsers silently drop it, so the URL that was
 * compared would differ from the one that is used.
 */
export function findRedirectUriProblem(
  uri: string,
  { type, isThirdParty }: RedirectUriOwner,
): RedirectUriProblem | null {
  const parsed = hasSpaceOrControl(uri) ? null : URL.parse(uri)
  if (!parsed) return 'notUrl'
  if (uri.includes('#')) return 'fragment'

  const { protocol, hostname } = parsed
  const isWeb = protocol === 'https:' || protocol === 'http:'
  if (!isWeb && !CUSTOM_SCHEME.test(protocol)) return 'scheme'

  // Over plain http, anybody on the network path could read the authorization code (RFC 6749 §3.1.2.1).
  const isReadable = protocol === 'http:' && !loopbackHosts.has(hostname)
  switch (type) {
    case 'MachineToMachine':
      return null
    case 'SPA':
    case 'Traditional':
      if (!isWeb) return 'webOnly'
      return isReadable && isThirdParty ? 'httpThirdParty' : null
    case 'Native':
      if (isReadable) return 'httpElsewhere'
      if (protocol === 'https:' && loopbackHosts.has(hostname)) return 'httpsLoopback'
      return null
  }
}
