/**
 * Returns the name by which users know an authenticator model, or null if it is unknown. The list comes from the
 * package `aaguids` 0.0.44 (MIT; its licence is in this folder), without names that are too long for a passkey.
 * It combines the list published jointly by passkey providers
 * (https://github.com/passkeydeveloper/passkey-authenticator-aaguids) with the security keys of the FIDO Metadata
 * Service. The name is looked up when a passkey is created; passkeys from unlisted models have no name until
 * their users name them.
 */
export async function findAuthenticatorName(aaguid: string): Promise<string | null> {
  const names: Readonly<Record<string, string>> = (await import('./authenticator-names.json')).default
  return names[aaguid] ?? null
}
