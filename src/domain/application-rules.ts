/** Which addresses an application may have: our rules (product 5, contract 4.6, 8.2) and those of the provider's library. */
import type { ApplicationType, CustomClientMetadata, OidcClientMetadata } from '../contract/applications.ts'

export type ApplicationAddresses = {
  type: ApplicationType
  oidcClientMetadata: Pick<OidcClientMetadata, 'redirectUris' | 'postLogoutRedirectUris'>
  customClientMetadata: Pick<CustomClientMetadata, 'backchannelLogoutUri'>
}

export type AddressProblem = { path: (string | number)[]; message: string }

/** Everything wrong with the addresses of this application; without any it can be a client of the provider. */
export function addressProblems(
  { type, oidcClientMetadata, customClientMetadata }: ApplicationAddresses,
  { environment }: { environment: 'production' | 'development' },
): AddressProblem[] {
  const lists = (['redirectUris', 'postLogoutRedirectUris'] as const).flatMap((list) =>
    oidcClientMetadata[list].flatMap((uri, index) => {
      const message = redirectProblem(uri, type)
      return message ? [{ path: ['oidcClientMetadata', list, index], message }] : []
    }),
  )
  const { backchannelLogoutUri } = customClientMetadata
  const message = backchannelLogoutUri === undefined ? null : logoutProblem(backchannelLogoutUri, environment)
  return message ? [...lists, { path: ['customClientMetadata', 'backchannelLogoutUri'], message }] : lists
}

const loopbacks = new Set(['localhost', '127.0.0.1', '[::1]'])

/** A reversed domain name, as mobile systems want it; the dot keeps `javascript:` and its like out. */
const CUSTOM_SCHEME = /^[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:$/

/** Parsers strip these in silence: what is compared and what is followed would differ. */
const BLANK = /[\s\p{Cc}]/u

/** Machines have no browser to redirect: their addresses must only be addresses. */
function redirectProblem(uri: string, type: ApplicationType): string | null {
  const parsed = BLANK.test(uri) ? null : URL.parse(uri)
  if (!parsed) return 'is not a URL'
  if (uri.includes('#')) return 'must not have a fragment'

  const { protocol, hostname } = parsed
  const isWeb = protocol === 'https:' || protocol === 'http:'
  if (!isWeb && !CUSTOM_SCHEME.test(protocol)) return 'must be http, https or a custom scheme with a dot'

  switch (type) {
    case 'MachineToMachine':
      return null
    case 'SPA':
    case 'Traditional':
      return isWeb ? null : 'must be http or https for an application of this type'
    case 'Native':
      if (protocol === 'http:' && !loopbacks.has(hostname)) return 'may use http on a loopback address only'
      if (protocol === 'https:' && loopbacks.has(hostname)) return 'must not use https on a loopback address'
      return null
  }
}

/** It is our server that calls this address, so it must be protected; a developer's own machine is. */
function logoutProblem(uri: string, environment: 'production' | 'development'): string | null {
  const parsed = BLANK.test(uri) ? null : URL.parse(uri)
  if (!parsed) return 'is not a URL'
  if (uri.includes('#')) return 'must not have a fragment'
  const isLocal =
    environment === 'development' && parsed.protocol === 'http:' && loopbacks.has(parsed.hostname)
  return parsed.protocol === 'https:' || isLocal ? null : 'must use https'
}
