import type {
  ApplicationType,
  CustomClientMetadata,
  OidcClientMetadata,
} from '../../contract/applications/applications.ts'

/** The properties of an interaction's client that determine where a social provider's response may be sent. */
export type CallbackClient = {
  type: ApplicationType
  oidcClientMetadata: Pick<OidcClientMetadata, 'redirectUris'>
  customClientMetadata: Pick<CustomClientMetadata, 'isThirdParty'>
}

/**
 * Checks whether a URL belongs to the app of the interaction's client (spec/connectors#native-callbacks). Whoever
 * receives the provider's response can finish the interaction named in its state. Another client's app could thus sign
 * in as the user, and a third-party app could do so without consent (ADR-0142).
 */
export function isNativeCallback(client: CallbackClient | undefined, url: string): boolean {
  if (client?.type !== 'Native' || client.customClientMetadata.isThirdParty) return false
  // A loopback URL is not allowed, because any program on the device can listen on it.
  const isPlain = URL.parse(url)?.protocol === 'http:'
  return !isPlain && client.oidcClientMetadata.redirectUris.includes(url)
}
