/** The verdict about a passkey whose signature is right (spec/accounts#passkey-verification). Pure. */

import { type Refusal, refuse } from '../../contract/errors.ts'
import type { AcceptedPasskeys } from '../../contract/passkeys/passkeys.ts'
import { toBase64Url } from '../base64.ts'

/** Why a passkey is not accepted; the audit log says it. */
type PasskeyProblem =
  | 'challenge'
  | 'signature'
  | 'userVerification'
  | 'secondFactor'
  | 'backupEligibility'
  | 'counter'

export const refusePasskey = (reason: PasskeyProblem): Refusal =>
  refuse('passkey.verification_failed', { reason })

type SignedFacts = { counter: number; isUserVerified: boolean; isBackupEligible: boolean }

/** Null where an import has not said it. */
type KnownFacts = { counter: number; isBackupEligible: boolean | null }

/** As a second factor a passkey says that it is there; who holds it was proved before. */
export function refusesSignedFacts(
  stored: KnownFacts,
  signed: SignedFacts,
  { needsUser }: { needsUser: boolean },
): Refusal | null {
  if (needsUser && !signed.isUserVerified) return refusePasskey('userVerification')
  // WebAuthn §6.1.3: it never changes for a credential.
  if (signed.isBackupEligible !== (stored.isBackupEligible ?? signed.isBackupEligible))
    return refusePasskey('backupEligibility')
  return isCounterBack(stored, signed) ? refusePasskey('counter') : null
}

/**
 * WebAuthn §7.2: a counter that does not grow is that of a copy, which a device-bound passkey cannot have. Copies of a
 * synced one count by themselves, or not at all.
 */
const isCounterBack = (stored: KnownFacts, signed: SignedFacts): boolean =>
  !signed.isBackupEligible && (stored.counter > 0 || signed.counter > 0) && signed.counter <= stored.counter

/** The challenge that the browser says it signed, as it was sent; null for anything else. */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const { challenge }: { challenge?: unknown } = JSON.parse(textOf(clientDataJSON))
    return typeof challenge === 'string' ? textOf(challenge) : null
  } catch {
    return null
  }
}

// Refuses what is no base64url, which `Buffer` would skip. Node has `Uint8Array.fromBase64` from version 25 on.
function textOf(base64Url: string): string {
  const data = atob(base64Url.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(data, (byte) => byte.charCodeAt(0)))
}

type NamedUser = {
  id: string
  username: string | null
  primaryEmail: string | null
  primaryPhone: string | null
  name: string | null
}

/** What authenticators show of a user (WebAuthn §5.4.3). `id` is the user handle. */
export function passkeyUser(user: NamedUser): { id: string; name: string; displayName: string } {
  const name = user.username ?? user.primaryEmail ?? user.primaryPhone ?? user.name ?? user.id
  return { id: userHandleOf(user.id), name, displayName: user.name ?? name }
}

/** By this authenticators know a user (WebAuthn §5.4.3). */
export const userHandleOf = (userId: string): string => toBase64Url(userId)

/** What the tenant knows of a user, for signals to authenticators. */
export function acceptedPasskeys(
  rpId: string,
  user: NamedUser,
  credentialIds: readonly string[],
): AcceptedPasskeys {
  const { id, ...names } = passkeyUser(user)
  return { rpId, userId: id, ...names, credentialIds: [...credentialIds] }
}
