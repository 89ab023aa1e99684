import { type AddressType, resetCutoff } from '../../domain/account/address-rules.ts'
import type { SubmitOutcome } from '../../domain/interactions/submit.ts'
import { formatResetName } from '../../domain/passwords/password-reset.ts'
import { passwordResetReversals } from '../../storage/account/address-changes.ts'
import { randomId } from '../../storage/ids.ts'
import { clearConsecutiveFailures } from '../../storage/rate-limits.ts'
import { updateUserIf } from '../../storage/users/user-changes.ts'
import {
  type EffectContext,
  type EffectDependencies,
  prepareUserColumns,
  type SubmitEffects,
} from '../interactions/effect.ts'
import { comparePassword } from './verify.ts'

/**
 * Returns the effects of a password reset. The reset also removes recently added credentials
 * (spec/accounts#reset-takes-back).
 */
export async function preparePasswordResetEffects(
  { db, now }: EffectDependencies,
  { tenantId, condition, accounts, additions }: EffectContext,
  { userId, password, channels, verified }: Extract<SubmitOutcome, { kind: 'resetPassword' }>,
): Promise<SubmitEffects | 'samePassword'> {
  const account = accounts.find(({ id }) => id === userId)
  if (account?.passwordEncrypted && (await comparePassword(account, password)).ok) return 'samePassword'
  const revokedAt = now()
  const since = resetCutoff({ at: revokedAt, createdAt: account?.createdAt ?? revokedAt })
  const type = unprovenType(channels)
  const values = { ...(await prepareUserColumns({ password, ...verified })), revokedAt }
  return {
    userId,
    revokedAt,
    result: { reset: formatResetName({ userId, channels }, randomId()) },
    removed: removedByReset(
      additions.find((row) => row.userId === userId),
      { since, type: type && hasAddress(account, type) ? type : null },
    ),
    statements: {
      ...passwordResetReversals(db, { tenantId, userId, since, type }, condition),
      user: updateUserIf(db, tenantId, condition, userId, values),
      failures: clearConsecutiveFailures(db, tenantId, userId, condition),
    },
  }
}

/** Returns the type of address for which no code was verified, or null if codes were verified for both types. */
function unprovenType(channels: readonly string[]): AddressType | null {
  if (!channels.includes('phone')) return 'phone'
  return channels.includes('email') ? null : 'email'
}

const hasAddress = (account: EffectContext['accounts'][number] | undefined, type: AddressType) =>
  (type === 'email' ? account?.primaryEmail : account?.primaryPhone) != null

function removedByReset(
  additions: EffectContext['additions'][number] | undefined,
  { since, type }: { since: number; type: AddressType | null },
): SubmitEffects['removed'] {
  const idsOf = (kind: 'passkeys' | 'identities' | 'totp' | 'addresses') =>
    (additions?.[kind] ?? []).filter(({ at }) => at >= since).map(({ id }) => id)
  return {
    since,
    passkeys: idsOf('passkeys'),
    identities: idsOf('identities'),
    hasTotp: idsOf('totp').length > 0,
    address: type && idsOf('addresses').includes(type) ? type : null,
  }
}
