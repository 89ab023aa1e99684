import type { Interaction, Proof } from '../contract/interactions/interaction.ts'
import type { RateLimitName } from '../contract/rate-limits.ts'
import { orRefuse } from '../contract/refused.ts'
import { refundableAttempts, refusesAttempts } from '../domain/limits.ts'
import { readTogether } from '../storage/batches.ts'
import { commitChange, notAudited } from '../storage/commit.ts'
import { type ConsumedCounter, refundAttempt } from '../storage/counters.ts'
import { clearFailuresInARow, consumeAttempts } from '../storage/rate-limits.ts'
import type { Dependencies } from './dependencies.ts'
import type { OidcInteraction } from './interactions/oidc-interaction.ts'

export type VerificationDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'seals' | 'settings' | 'tenantSettings' | 'network' | 'floodLimits'
>

/** An attempt that was counted. Its outcome is not revealed before the interaction itself was checked. */
export type CountedAttempt = {
  row: OidcInteraction
  /** The proof, or a refusal thrown. `interaction` is the record it is added to; null before there is one. */
  prove(interaction: Interaction | null): Promise<Proof>
}

type Outcome = {
  consumed: readonly ConsumedCounter[]
  outcome: 'refused' | 'accepted'
  /** Whose password was right: the account has no failures in a row any more. */
  userId?: string
}

/** Gives back what does not stay counted after this outcome. Needs no call where nothing is given back. */
export async function refundAttempts(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
  { consumed, outcome, userId }: Outcome,
): Promise<void> {
  await commitChange(db, {
    tenantId,
    statements: {
      counters: refundableAttempts(consumed, outcome).map((counter) => refundAttempt(db, tenantId, counter)),
      failures: userId === undefined ? undefined : clearFailuresInARow(db, tenantId, userId),
    },
    audit: notAudited('the attempt is audited, not its counter'),
  })
}

type OwnLimit = Extract<RateLimitName, `own${string}`>

/** What signed-in users may do so often (spec/accounts#rate-limits), counted in a round trip of its own. */
export async function countOwnAttempt(
  { db, now, settings, tenantSettings }: Pick<Dependencies, 'db' | 'now' | 'settings' | 'tenantSettings'>,
  tenantId: string,
  attempt: { limit: OwnLimit; id: string },
): Promise<void> {
  const { limits } = await tenantSettings.get(tenantId)
  const at = now()
  const given = { limits, environment: settings.environment, now: at }
  const { consumed } = await readTogether(db, { consumed: consumeAttempts(db, tenantId, [attempt], given) })
  orRefuse(refusesAttempts(consumed, at))
}
