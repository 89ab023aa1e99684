import { HOUR } from '../../contract/time.ts'
import { toBase64Url } from '../../domain/base64.ts'
import { parseChallenge } from '../../domain/passkeys/passkeys.ts'
import type { SealLabel } from '../../storage/seal.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * Challenges are not stored (spec/accounts#passkey-challenges). A challenge is a sealed value that can be decrypted
 * only for the interaction or user for which it was created. The random nonce of the seal makes it unpredictable.
 */
type Sealing = Pick<Dependencies, 'seals' | 'now'>

// A challenge is bound to a label, which names the interaction or user and the purpose.

export const signInLabel = (tenantId: string, uid: string): SealLabel => `passkey-sign-in/${tenantId}/${uid}`
export const secondFactorLabel = (tenantId: string, uid: string): SealLabel =>
  `passkey-second-factor/${tenantId}/${uid}`
export const creationLabel = (tenantId: string, userId: string, place: string): SealLabel =>
  `passkey-creation/${tenantId}/${userId}/${place}`
/** Returns the label for creating a security key that serves only as a second factor. */
export const securityKeyCreationLabel = (tenantId: string, userId: string, place: string): SealLabel =>
  `security-key-creation/${tenantId}/${userId}/${place}`
/** Returns the label for creating a passkey without asking the user. */
export const conditionalCreationLabel = (tenantId: string, userId: string, place: string): SealLabel =>
  `passkey-conditional/${tenantId}/${userId}/${place}`

/** The same as the lifetime of an interaction, because a form field that offers passkeys may stay open that long. */
export const CHALLENGE_LIFETIME = HOUR

export const createChallenge = async ({ seals, now }: Sealing, label: SealLabel): Promise<string> =>
  toBase64Url(await seals.seal(label, { exp: now() + CHALLENGE_LIFETIME }))

/**
 * Returns the signed challenge and its time of issue, or null if it was not issued for this label. Does not check
 * whether the challenge has been used before.
 */
export async function unsealChallenge(
  { seals, now }: Sealing,
  label: SealLabel,
  { clientDataJSON }: { clientDataJSON: string },
): Promise<{ challenge: string; issuedAt: number } | null> {
  const challenge = parseChallenge(clientDataJSON)
  if (challenge === null) return null
  // The cast is safe, because only this module seals values with these labels.
  const opened = (await seals.open(label, challenge)) as { exp: number } | null
  return opened && opened.exp > now() ? { challenge, issuedAt: opened.exp - CHALLENGE_LIFETIME } : null
}
