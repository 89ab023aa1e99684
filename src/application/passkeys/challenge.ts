import { HOUR } from '../../contract/time.ts'
import { toBase64Url } from '../../domain/base64.ts'
import { parseChallenge } from '../../domain/passkeys/passkeys.ts'
import type { SealLabel } from '../../storage/seal.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * Challenges are not stored (spec/accounts#passkey-challenges). Each is a sealed value that can be opened only for one
 * interaction or one signed-in user. The nonce of the seal makes it random.
 */
type Sealing = Pick<Dependencies, 'seals' | 'now'>

// A label names the interaction or user, and the purpose, to which a challenge is bound.

export const signInLabel = (tenantId: string, uid: string): SealLabel => `passkey-sign-in/${tenantId}/${uid}`
export const secondFactorLabel = (tenantId: string, uid: string): SealLabel =>
  `passkey-second-factor/${tenantId}/${uid}`
export const creationLabel = (tenantId: string, userId: string, place: string): SealLabel =>
  `passkey-creation/${tenantId}/${userId}/${place}`
/** Returns the label for creating a security key that will be only a second factor. */
export const securityKeyCreationLabel = (tenantId: string, userId: string, place: string): SealLabel =>
  `security-key-creation/${tenantId}/${userId}/${place}`
/** Returns the label for a passkey that the browser may create without asking the user. */
export const conditionalCreationLabel = (tenantId: string, userId: string, place: string): SealLabel =>
  `passkey-conditional/${tenantId}/${userId}/${place}`

/** Interactions last an hour, and a form field that offers passkeys may stay open that long. */
export const CHALLENGE_LIFETIME = HOUR

export const newChallenge = async ({ seals, now }: Sealing, label: SealLabel): Promise<string> =>
  toBase64Url(await seals.seal(label, { exp: now() + CHALLENGE_LIFETIME }))

/**
 * Returns the challenge that was signed and the time at which it was issued, or null if it was not issued for this
 * label. The challenge may have been used before.
 */
export async function openChallenge(
  { seals, now }: Sealing,
  label: SealLabel,
  { clientDataJSON }: { clientDataJSON: string },
): Promise<{ challenge: string; issuedAt: number } | null> {
  const challenge = parseChallenge(clientDataJSON)
  if (challenge === null) return null
  // Only this module seals challenges.
  const opened = (await seals.open(label, challenge)) as { exp: number } | null
  return opened && opened.exp > now() ? { challenge, issuedAt: opened.exp - CHALLENGE_LIFETIME } : null
}
