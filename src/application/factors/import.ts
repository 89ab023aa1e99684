import type { Refusal } from '../../contract/errors.ts'
import { invalidInput } from '../../contract/invalid-input.ts'
import type { ImportedPasskey, ImportedUser } from '../../contract/users/user-import.schema.ts'
import { fromBase32, toBase32 } from '../../domain/factors/totp.ts'
import type { ImportedRow } from '../../storage/users/user-import.ts'

/** Prepares the authenticator apps and passkeys of imported users (spec/accounts#imported-factors). */

/**
 * The minimum and maximum size of a secret, in bytes. We chose the minimum because older products use it, and the
 * maximum because a longer secret would not fit into the column in sealed form.
 */
const [MIN_SECRET_BYTES, MAX_SECRET_BYTES] = [10, 64]

const NO_MODEL = '00000000-0000-0000-0000-000000000000'

export type PreparedFactors = Pick<ImportedRow, 'passkeys'> & {
  /** The unsealed secret, or null if the user has no authenticator app. */
  totpSecret: string | null
}

export async function prepareFactors(
  { totpSecret = null, passkeys = [] }: Pick<ImportedUser, 'totpSecret' | 'passkeys'>,
  { at, rpId }: { at: number; rpId: string | null },
): Promise<PreparedFactors | Refusal> {
  const bytes = totpSecret === null ? null : fromBase32(totpSecret)
  if (totpSecret !== null && (!bytes || bytes.length < MIN_SECRET_BYTES || bytes.length > MAX_SECRET_BYTES))
    return refuseAt(['totpSecret'], `is not Base32 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes`)
  for (const [index, passkey] of passkeys.entries()) {
    const refusal = await refusesPasskey(passkey, { index, rpId, before: passkeys.slice(0, index) })
    if (refusal) return refusal
  }
  return {
    totpSecret: bytes && toBase32(bytes),
    passkeys: rpId === null ? [] : passkeys.map((passkey) => passkeyOf(passkey, { at, rpId })),
  }
}

type Place = { index: number; rpId: string | null; before: readonly ImportedPasskey[] }

async function refusesPasskey(
  { id, publicKey, rpId: passkeyRpId }: ImportedPasskey,
  { index, rpId, before }: Place,
): Promise<Refusal | null> {
  const at = (name: string) => ['passkeys', index, name]
  if (rpId === null) return refuseAt(at('rpId'), 'has no counterpart: the tenant has no passkey domain')
  if (passkeyRpId !== undefined && passkeyRpId !== rpId) return refuseAt(at('rpId'), `is not ${rpId}`)
  if (before.some((other) => other.id === id)) return refuseAt(at('id'), 'is repeated')
  const { isValidPublicKey } = await import('../../outbound/passkeys/webauthn.ts')
  return (await isValidPublicKey(publicKey))
    ? null
    : refuseAt(at('publicKey'), 'is not a COSE key for ES256, RS256 or Ed25519')
}

const refuseAt = (path: (string | number)[], message: string): Refusal =>
  invalidInput({ issues: [{ path, message }] }).refusal

const passkeyOf = (
  { id, isBackupEligible = null, lastUsedAt = null, ...passkey }: ImportedPasskey,
  { at, rpId }: { at: number; rpId: string },
): ImportedRow['passkeys'][number] => ({
  credentialId: id,
  publicKey: passkey.publicKey,
  counter: passkey.counter ?? 0,
  transports: passkey.transports ?? [],
  aaguid: passkey.aaguid?.toLowerCase() ?? NO_MODEL,
  name: passkey.name ?? null,
  rpId,
  isBackupEligible: isBackupEligible ?? false,
  isBackedUp: passkey.isBackedUp ?? false,
  createdAt: passkey.createdAt ?? at,
  lastUsedAt,
  isSecondFactor: passkey.isSecondFactor ?? false,
  provenance: isBackupEligible === null ? 'importedWithoutFlags' : 'imported',
})
