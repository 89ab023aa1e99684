import type { Passkey } from '../../contract/passkeys/passkeys.ts'

/**
 * Adds the common name of the authenticator model to each passkey, or null if the model is unknown. Users recognize a
 * passkey by it even if they have renamed it.
 */
export async function withModelNames(
  passkeys: readonly Passkey[],
): Promise<(Passkey & { model: string | null })[]> {
  if (passkeys.length === 0) return []
  const { findAuthenticatorName } = await import('../../outbound/passkeys/authenticator-names.ts')
  return Promise.all(
    passkeys.map(async (passkey) => ({ ...passkey, model: await findAuthenticatorName(passkey.aaguid) })),
  )
}
