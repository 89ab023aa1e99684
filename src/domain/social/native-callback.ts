import type {
  ApplicationType,
  CustomClientMetadata,
  OidcClientMetadata,
} from '../../contract/applications/applications.ts'

/** The parts of an interaction's client that decide where a social provider's response may go. */
export type CallbackClient = {
  type: ApplicationType
  oidcClientMetadata: Pick<OidcClientMetadata, 'redirectUris'>
  customClientMetadata: Pick<CustomClientMetadata, 'isThirdParty'>
}

/**
 * Checks whether an address leads back to the app that an interaction signs in to (spec/connectors#native-callbacks).
 * Whoever receives the provider's response can finish the interaction named in the state. The app of another client
 * could sign in there as the user, and a third-party app could do so without the consent page (ADR-0142).
 */
export function isNativeCallback(client: CallbackClient | undefined, address: string): boolean {
  if (client?.type !== 'Native' || client.customClientMetadata.isThirdParty) return false
  // Any program on the device can listen on a loopback address.
  const isPlain = URL.parse(address)?.protocol === 'http:'
  return !isPlain && client.oidcClientMetadata.redirectUris.includes(address)
}
