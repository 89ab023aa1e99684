/**
 * Which factors answer an unusual sign-in (spec/accounts#recent-factors). Whoever has stolen a password may have set a factor up
 * with it, where no policy asked: one that was added lately does not answer while the account has an older one.
 */

import type { Interaction } from '../../contract/interactions/interaction.ts'
import { HOUR } from '../../contract/time.ts'
import type { Factor } from './second-factor.ts'
import type { AddedFactors } from './sign-in-risk.ts'

/** Ours: as long as a reset of the password makes new browsers unusual. */
export const FACTOR_RECENT = 72 * HOUR // ms

type Ages = { added: AddedFactors; now: number }

const isOld = (at: number | null, now: number) => at === null || now - at >= FACTOR_RECENT

/** Those of them that are older. Backup codes stand in for another factor, and count with an older one alone. */
export function olderFactors(factors: readonly Factor[], { added, now }: Ages): Factor[] {
  const isOlder = (factor: Factor): boolean =>
    factor === 'passkey' ? hasOlderPasskey({ added, now }) : isOld(added[factor], now)
  const older = factors.filter(isOlder)
  return older.some((factor) => factor !== 'backupCode') ? older : []
}

const hasOlderPasskey = ({ added: { passkeys }, now }: Ages) =>
  passkeys.length === 0 || passkeys.some(({ at }) => isOld(at, now))

/** Without the proofs by passkeys and security keys that were added lately. */
export const withOlderPasskeys = (interaction: Interaction, { added, now }: Ages): Interaction => ({
  ...interaction,
  proofs: interaction.proofs.filter(
    (proof) =>
      proof.kind !== 'passkey' ||
      !added.passkeys.some(({ id, at }) => id === proof.credentialId && !isOld(at, now)),
  ),
})
