import { refundableAttempts } from '../domain/limits.ts'
import { commitChange, notAudited } from '../storage/commit.ts'
import { type ConsumedCounter, refundAttempt } from '../storage/counters.ts'
import { clearFailuresInARow } from '../storage/rate-limits.ts'
import type { Dependencies } from './dependencies.ts'

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
