import type { Interaction, Proof } from '../contract/interactions/interaction.ts'
import { throwIfRefused } from '../contract/refused.ts'
import { checkAttempts, refundableAttempts } from '../domain/limits.ts'
import { readTogether } from '../storage/batches.ts'
import { commitChange, notAudited } from '../storage/commit.ts'
import { refundAttempt } from '../storage/counter-refunds.ts'
import type { ConsumedCounter } from '../storage/counters.ts'
import type { Database } from '../storage/database.ts'
import {
  type AttemptToCount,
  clearConsecutiveFailures,
  consumeAttempts,
  type LimitContext,
} from '../storage/rate-limits.ts'
import type { Dependencies } from './dependencies.ts'
import type { OidcInteraction } from './interactions/oidc-interaction.ts'

/**
 * Rate limits count attempts (spec/accounts#rate-limits). An attempt is counted before the credential is checked, so
 * that parallel attempts cannot exceed the limit. If the credential was right, most limits refund the attempt.
 */
export type AttemptDependencies = Pick<Dependencies, 'db' | 'now' | 'settings' | 'tenantSettings'>

/** Returns functions that count attempts against the tenant's limits at the current time. */
export async function createTenantAttemptLimiter(
  { db, now, settings, tenantSettings }: AttemptDependencies,
  tenantId: string,
  browser?: LimitContext['browser'],
) {
  const { limits } = await tenantSettings.get(tenantId)
  return createAttemptLimiter(db, tenantId, {
    limits,
    environment: settings.environment,
    now: now(),
    browser,
  })
}

export const createAttemptLimiter = (db: Database, tenantId: string, circumstances: LimitContext) => {
  const count = (attempts: readonly AttemptToCount[]) =>
    consumeAttempts(db, tenantId, attempts, circumstances)
  return {
    circumstances,
    /**
     * Returns the statements that count attempts, to be added to the caller's batch. The other methods take the rows
     * that these statements return.
     */
    count,
    /** Counts the attempts in a separate round trip. */
    consume: async (attempts: readonly AttemptToCount[]) =>
      (await readTogether(db, { consumed: count(attempts) })).consumed,
    refusal: (consumed: readonly ConsumedCounter[]) => checkAttempts(consumed, circumstances.now),
    /** Returns the number of seconds until another attempt is allowed, or null if one is allowed now. */
    retryAfter(consumed: readonly ConsumedCounter[]): number | null {
      const refusal = checkAttempts(consumed, circumstances.now)
      return refusal && Number(refusal.data?.retryAfter)
    },
    /** Refunds those attempts that do not count against the limit given this outcome. */
    async refund(consumed: readonly ConsumedCounter[], { outcome = 'accepted', userId }: Outcome = {}) {
      await commitChange(db, {
        tenantId,
        statements: {
          counters: refundableAttempts(consumed, outcome).flatMap((counter) =>
            refundAttempt(db, tenantId, counter),
          ),
          failures: userId === undefined ? undefined : clearConsecutiveFailures(db, tenantId, userId),
        },
        audit: notAudited('the attempt is audited, not its counter'),
      })
    },
  }
}

type Outcome = {
  outcome?: 'refused' | 'accepted'
  /** The user who entered the right password. The user's count of consecutive failures is cleared. */
  userId?: string
}

/** Counts attempts in a separate round trip, and throws if a limit is exceeded. */
export async function requireAttempts(
  dependencies: AttemptDependencies,
  tenantId: string,
  attempts: readonly AttemptToCount[],
): Promise<void> {
  const limiter = await createTenantAttemptLimiter(dependencies, tenantId)
  throwIfRefused(limiter.refusal(await limiter.consume(attempts)))
}

export type VerificationDependencies = AttemptDependencies &
  Pick<Dependencies, 'seals' | 'network' | 'floodLimits'>

/** An attempt that has been counted. Its outcome is revealed only after the interaction has been checked. */
export type CountedAttempt = {
  row: OidcInteraction
  /**
   * Returns the verified proof, or throws if verification failed. `interaction` is the record to which the proof will
   * be added, or null if there is none yet.
   */
  prove(interaction: Interaction | null): Promise<Proof>
}
