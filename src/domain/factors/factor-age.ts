/**
 * Decides which factors count for an unusual sign-in (spec/accounts#recent-factors). Whoever stole a password may have
 * set up a factor with it, where no policy asked for one. So a recently added factor does not count while the account
 * has an older one.
 */

import type { Interaction } from '../../contract/interactions/interaction.ts'
import { HOUR } from '../../contract/time.ts'
import type { Factor } from './second-factor.ts'
import type { AddedFactors } from './sign-in-risk.ts'

/** As long as new browsers are unusual after a password reset. Our choice. */
export const RECENT_FACTOR_PERIOD = 72 * HOUR // ms

type Ages = { added: AddedFactors; now: number }

const isOld = (at: number | null, now: number) => at === null || now - at >= RECENT_FACTOR_PERIOD

/**
 * Returns the older ones of these factors. Backup codes replace another factor, so they count only together with an
 * older one.
 */
export function olderFactors(factors: readonly Factor[], { added, now }: Ages): Factor[] {
  const isOlder = (factor: Factor): boolean =>
    factor === 'passkey' ? hasOlderPasskey({ added, now }) : isOld(added[factor], now)
  const older = factors.filter(isOlder)
  return older.some((factor) => factor !== 'backupCode') ? older : []
}

const hasOlderPasskey = ({ added: { passkeys }, now }: Ages) =>
  passkeys.length === 0 || passkeys.some(({ at }) => isOld(at, now))

/** Removes the proofs by recently added passkeys and security keys. */
export const withOlderPasskeys = (interaction: Interaction, { added, now }: Ages): Interaction => ({
  ...interaction,
  proofs: interaction.proofs.filter(
    (proof) =>
      proof.kind !== 'passkey' ||
      !added.passkeys.some(({ id, at }) => id === proof.credentialId && !isOld(at, now)),
  ),
})
