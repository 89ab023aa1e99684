/**
 * What users call an authenticator of this model. The list is that of the package `aaguids` 0.0.44 (MIT, its licence is beside
 * it) without names too long for a passkey; it joins the one that makers of passkey providers publish together
 * (https://github.com/passkeydeveloper/passkey-authenticator-aaguids) with the security keys of the FIDO Metadata Service. Read
 * when a passkey is made; one of any other model is unnamed until its user names it.
 */
export async function authenticatorName(aaguid: string): Promise<string | null> {
  const names: Readonly<Record<string, string>> = (await import('./authenticator-names.json')).default
  return names[aaguid] ?? null
}
