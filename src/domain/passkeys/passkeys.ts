/** Decides about a passkey whose signature is valid (spec/accounts#passkey-verification). All functions are pure. */

import { type Refusal, refuse } from '../../contract/errors.ts'
import type { AcceptedPasskeys } from '../../contract/passkeys/passkeys.ts'
import { toBase64Url } from '../base64.ts'

/** Why a passkey is rejected, as recorded in the audit log. */
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

/** Null if an import did not provide the value. */
type StoredFacts = { counter: number; isBackupEligible: boolean | null }

/** As a second factor, a passkey only proves its presence; who holds it was proved before. */
export function checkSignedFacts(
  stored: StoredFacts,
  signed: SignedFacts,
  { needsUser }: { needsUser: boolean },
): Refusal | null {
  if (needsUser && !signed.isUserVerified) return refusePasskey('userVerification')
  // WebAuthn §6.1.3: this never changes for a credential.
  if (signed.isBackupEligible !== (stored.isBackupEligible ?? signed.isBackupEligible))
    return refusePasskey('backupEligibility')
  return hasCounterRegressed(stored, signed) ? refusePasskey('counter') : null
}

/**
 * A counter that does not grow belongs to a copy, which a device-bound passkey cannot have (WebAuthn §7.2). Copies of a
 * synced passkey count separately, or not at all.
 */
const hasCounterRegressed = (stored: StoredFacts, signed: SignedFacts): boolean =>
  !signed.isBackupEligible && (stored.counter > 0 || signed.counter > 0) && signed.counter <= stored.counter

/** Returns the challenge that the browser claims to have signed, as it was sent, or null for invalid data. */
export function readChallenge(clientDataJSON: string): string | null {
  try {
    const { challenge }: { challenge?: unknown } = JSON.parse(decodeText(clientDataJSON))
    return typeof challenge === 'string' ? decodeText(challenge) : null
  } catch {
    return null
  }
}

// Rejects text that is not base64url, which `Buffer` would skip. Node has `Uint8Array.fromBase64` from version 25.
function decodeText(base64Url: string): string {
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

/** Returns what authenticators show of a user (WebAuthn §5.4.3). `id` is the user handle. */
export function passkeyUser(user: NamedUser): { id: string; name: string; displayName: string } {
  const name = user.username ?? user.primaryEmail ?? user.primaryPhone ?? user.name ?? user.id
  return { id: toUserHandle(user.id), name, displayName: user.name ?? name }
}

/** Returns the handle by which authenticators know a user (WebAuthn §5.4.3). */
export const toUserHandle = (userId: string): string => toBase64Url(userId)

/** Returns what the tenant knows about a user, for signals to authenticators. */
export function acceptedPasskeys(
  rpId: string,
  user: NamedUser,
  credentialIds: readonly string[],
): AcceptedPasskeys {
  const { id, ...names } = passkeyUser(user)
  return { rpId, userId: id, ...names, credentialIds: [...credentialIds] }
}
