/**
 * Decides whether to accept a passkey whose signature is valid (spec/accounts#passkey-verification). All functions are
 * pure.
 */

import { type Refusal, refuse } from '../../contract/errors.ts'
import type { AcceptedPasskeys } from '../../contract/passkeys/passkeys.ts'
import { toBase64Url } from '../base64.ts'

/** The reasons for rejecting a passkey, as recorded in the audit log. */
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

/** The stored data of a passkey. `isBackupEligible` is null if the passkey was imported without this value. */
type StoredFacts = { counter: number; isBackupEligible: boolean | null }

/**
 * Checks the signed data of a passkey against the stored data. A second factor needs no user verification, because
 * another proof has already identified the user.
 */
export function checkAuthenticatorData(
  stored: StoredFacts,
  signed: SignedFacts,
  { needsUser }: { needsUser: boolean },
): Refusal | null {
  if (needsUser && !signed.isUserVerified) return refusePasskey('userVerification')
  // Backup eligibility never changes for a credential (WebAuthn §6.1.3).
  if (signed.isBackupEligible !== (stored.isBackupEligible ?? signed.isBackupEligible))
    return refusePasskey('backupEligibility')
  return hasCounterRegressed(stored, signed) ? refusePasskey('counter') : null
}

/**
 * Checks whether the counter has failed to increase. For a device-bound passkey, this indicates a clone (WebAuthn
 * §7.2). The copies of a synced passkey count separately, or not at all.
 */
const hasCounterRegressed = (stored: StoredFacts, signed: SignedFacts): boolean =>
  !signed.isBackupEligible && (stored.counter > 0 || signed.counter > 0) && signed.counter <= stored.counter

/** Extracts the challenge that the browser claims to have signed. Returns null if the data is invalid. */
export function parseChallenge(clientDataJSON: string): string | null {
  try {
    const { challenge }: { challenge?: unknown } = JSON.parse(decodeText(clientDataJSON))
    return typeof challenge === 'string' ? decodeText(challenge) : null
  } catch {
    return null
  }
}

// Decodes base64url. Throws an error if the text is invalid, unlike `Buffer`, which silently skips invalid characters.
// Node has no `Uint8Array.fromBase64` before version 25.
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

/** Returns the user data that authenticators show (WebAuthn §5.4.3). `id` is the user handle. */
export function passkeyUser(user: NamedUser): { id: string; name: string; displayName: string } {
  const name = user.username ?? user.primaryEmail ?? user.primaryPhone ?? user.name ?? user.id
  return { id: toUserHandle(user.id), name, displayName: user.name ?? name }
}

/** Returns the handle by which authenticators identify a user (WebAuthn §5.4.3). */
export const toUserHandle = (userId: string): string => toBase64Url(userId)

/** Returns the user's passkeys and names, which the browser passes on to authenticators. */
export function listAcceptedPasskeys(
  rpId: string,
  user: NamedUser,
  credentialIds: readonly string[],
): AcceptedPasskeys {
  const { id, ...names } = passkeyUser(user)
  return { rpId, userId: id, ...names, credentialIds: [...credentialIds] }
}
