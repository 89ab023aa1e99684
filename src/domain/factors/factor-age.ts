/**
 * Decides which factors count in an unusual sign-in (spec/accounts#recent-factors). If no policy required a factor,
 * someone with a stolen password could have added one. A recently added factor therefore does not count while the
 * account has an older one.
 */

import type { Interaction } from '../../contract/interactions/interaction.ts'
import { HOUR } from '../../contract/time.ts'
import type { Factor } from './second-factor.ts'
import type { AddedFactors } from './sign-in-risk.ts'

/**
 * The time for which a factor is considered recently added. A new browser is considered unusual for the same time after
 * a password reset. Our choice.
 */
export const RECENT_FACTOR_PERIOD = 72 * HOUR // ms

type Ages = { added: AddedFactors; now: number }

const isOld = (at: number | null, now: number) => at === null || now - at >= RECENT_FACTOR_PERIOD

/**
 * Returns the factors that were not added recently. Backup codes are a fallback for another factor, so they count only
 * if that factor was not added recently.
 */
export function olderFactors(factors: readonly Factor[], { added, now }: Ages): Factor[] {
  const isOlder = (factor: Factor): boolean =>
    factor === 'passkey' ? hasOlderPasskey({ added, now }) : isOld(added[factor], now)
  const older = factors.filter(isOlder)
  return older.some((factor) => factor !== 'backupCode') ? older : []
}

const hasOlderPasskey = ({ added: { passkeys }, now }: Ages) =>
  passkeys.length === 0 || passkeys.some(({ at }) => isOld(at, now))

/** Removes proofs that were made with recently added passkeys and security keys. */
export const withOlderPasskeys = (interaction: Interaction, { added, now }: Ages): Interaction => ({
  ...interaction,
  proofs: interaction.proofs.filter(
    (proof) =>
      proof.kind !== 'passkey' ||
      !added.passkeys.some(({ id, at }) => id === proof.credentialId && !isOld(at, now)),
  ),
})
