import type {
  ApplicationType,
  CustomClientMetadata,
  OidcClientMetadata,
} from '../../contract/applications/applications.ts'

/** The client of an interaction, as far as it decides where a social provider's answer may go. */
export type CallbackClient = {
  type: ApplicationType
  oidcClientMetadata: Pick<OidcClientMetadata, 'redirectUris'>
  customClientMetadata: Pick<CustomClientMetadata, 'isThirdParty'>
}

/**
 * Whether an address leads back into the app that an interaction signs in to (spec/connectors#native-callbacks). Whoever gets the
 * answer of a provider can finish the interaction that the state names: the app of another client would sign in as its user
 * there, and that of a third party would do so without the page on which its user consents (ADR-0142).
 */
export function isNativeCallback(client: CallbackClient | undefined, address: string): boolean {
  if (client?.type !== 'Native' || client.customClientMetadata.isThirdParty) return false
  // Any program of the device can listen on a loopback address.
  const isPlain = URL.parse(address)?.protocol === 'http:'
  return !isPlain && client.oidcClientMetadata.redirectUris.includes(address)
}
