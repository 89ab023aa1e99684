import { HOUR } from '../../contract/time.ts'
import { toBase64Url } from '../../domain/base64.ts'
import { readChallenge } from '../../domain/passkeys/passkeys.ts'
import type { Label } from '../../storage/seal.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * Challenges that nothing stores (spec/accounts#passkey-challenges): a sealed value that opens only for one interaction or one
 * signed-in user. The nonce of its seal makes it random.
 */
type Sealing = Pick<Dependencies, 'seals' | 'now'>

/** What a challenge is bound to. */
export const signInLabel = (tenantId: string, uid: string): Label => `passkey-sign-in/${tenantId}/${uid}`
export const secondFactorLabel = (tenantId: string, uid: string): Label =>
  `passkey-second-factor/${tenantId}/${uid}`
export const creationLabel = (tenantId: string, userId: string, place: string): Label =>
  `passkey-creation/${tenantId}/${userId}/${place}`
/** For a key that is to be only a second factor. */
export const keyCreationLabel = (tenantId: string, userId: string, place: string): Label =>
  `security-key-creation/${tenantId}/${userId}/${place}`
/** For a passkey that the browser may create without asking. */
export const conditionalLabel = (tenantId: string, userId: string, place: string): Label =>
  `passkey-conditional/${tenantId}/${userId}/${place}`

/** An interaction's hour: a field that offers passkeys may wait as long. */
export const CHALLENGE_LIFETIME = HOUR

export const newChallenge = async ({ seals, now }: Sealing, label: Label): Promise<string> =>
  toBase64Url(await seals.seal(label, { exp: now() + CHALLENGE_LIFETIME }))

/** The challenge that was signed, if it is one of ours for this label, and when it was made; it may have been used before. */
export async function openChallenge(
  { seals, now }: Sealing,
  label: Label,
  { clientDataJSON }: { clientDataJSON: string },
): Promise<{ challenge: string; issuedAt: number } | null> {
  const challenge = readChallenge(clientDataJSON)
  if (challenge === null) return null
  // Only this module seals challenges.
  const opened = (await seals.open(label, challenge)) as { exp: number } | null
  return opened && opened.exp > now() ? { challenge, issuedAt: opened.exp - CHALLENGE_LIFETIME } : null
}
