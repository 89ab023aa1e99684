/**
 * Returns the common name of an authenticator model, or null if the model is unknown. The list comes from the package
 * `aaguids` 0.0.44 (MIT; its licence is in this folder), without names that are too long for a passkey. It combines the
 * list published jointly by passkey providers (https://github.com/passkeydeveloper/passkey-authenticator-aaguids) with
 * the security keys of the FIDO Metadata Service. The name is looked up when a passkey is created. A passkey of an
 * unknown model has no name until its user gives it one.
 */
export async function findAuthenticatorName(aaguid: string): Promise<string | null> {
  const names: Readonly<Record<string, string>> = (await import('./authenticator-names.json')).default
  return names[aaguid] ?? null
}
