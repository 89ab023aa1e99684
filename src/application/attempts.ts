import type { Interaction, Proof } from '../contract/interactions/interaction.ts'
import { orRefuse } from '../contract/refused.ts'
import { checkAttempts, refundableAttempts } from '../domain/limits.ts'
import { readTogether } from '../storage/batches.ts'
import { commitChange, notAudited } from '../storage/commit.ts'
import { type ConsumedCounter, refundAttempt } from '../storage/counters.ts'
import type { Database } from '../storage/database.ts'
import {
  type AttemptToCount,
  clearFailuresInARow,
  consumeAttempts,
  type LimitCircumstances,
} from '../storage/rate-limits.ts'
import type { Dependencies } from './dependencies.ts'
import type { OidcInteraction } from './interactions/oidc-interaction.ts'

/**
 * Attempts that a rate limit counts (spec/accounts#rate-limits). They are consumed before what they try is checked, so that
 * attempts in parallel cannot all be the last one allowed; most give theirs back when it was right.
 */
export type AttemptDependencies = Pick<Dependencies, 'db' | 'now' | 'settings' | 'tenantSettings'>

/** By the tenant's limits, at this moment. */
export async function attemptsOf(
  { db, now, settings, tenantSettings }: AttemptDependencies,
  tenantId: string,
  browser?: LimitCircumstances['browser'],
) {
  const { limits } = await tenantSettings.get(tenantId)
  return attemptsIn(db, tenantId, { limits, environment: settings.environment, now: now(), browser })
}

export const attemptsIn = (db: Database, tenantId: string, circumstances: LimitCircumstances) => {
  const count = (attempts: readonly AttemptToCount[]) =>
    consumeAttempts(db, tenantId, attempts, circumstances)
  return {
    circumstances,
    /** The statements, for the caller's batch. Their rows are what the functions below take. */
    count,
    /** Counts in a round trip of its own. */
    consume: async (attempts: readonly AttemptToCount[]) =>
      (await readTogether(db, { consumed: count(attempts) })).consumed,
    refusal: (consumed: readonly ConsumedCounter[]) => checkAttempts(consumed, circumstances.now),
    /** Seconds until one more is allowed; null: now. */
    retryAfter(consumed: readonly ConsumedCounter[]): number | null {
      const refusal = checkAttempts(consumed, circumstances.now)
      return refusal && Number(refusal.data?.retryAfter)
    },
    /** Gives back what does not stay counted after this outcome. Needs no call where nothing is given back. */
    async refund(consumed: readonly ConsumedCounter[], { outcome = 'accepted', userId }: Outcome = {}) {
      await commitChange(db, {
        tenantId,
        statements: {
          counters: refundableAttempts(consumed, outcome).map((counter) =>
            refundAttempt(db, tenantId, counter),
          ),
          failures: userId === undefined ? undefined : clearFailuresInARow(db, tenantId, userId),
        },
        audit: notAudited('the attempt is audited, not its counter'),
      })
    },
  }
}

type Outcome = {
  outcome?: 'refused' | 'accepted'
  /** Whose password was right: the account has no failures in a row any more. */
  userId?: string
}

/** Counts attempts in a round trip of their own, or refuses them. */
export async function requireAttempts(
  dependencies: AttemptDependencies,
  tenantId: string,
  list: readonly AttemptToCount[],
): Promise<void> {
  const attempts = await attemptsOf(dependencies, tenantId)
  orRefuse(attempts.refusal(await attempts.consume(list)))
}

export type VerificationDependencies = AttemptDependencies &
  Pick<Dependencies, 'seals' | 'network' | 'floodLimits'>

/** An attempt that was counted. Its outcome is not revealed before the interaction itself was checked. */
export type CountedAttempt = {
  row: OidcInteraction
  /** The proof, or a refusal thrown. `interaction` is the record it is added to; null before there is one. */
  prove(interaction: Interaction | null): Promise<Proof>
}
