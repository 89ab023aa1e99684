import type { Limit } from '../contract/settings.ts'
import { commit, notAudited } from '../storage/commit.ts'
import { type ConsumedCounter, refundAttempt } from '../storage/counters.ts'
import type { Dependencies } from './dependencies.ts'

type ConsumedAttempt = { counter: ConsumedCounter; limit: Limit }

/** Gives back what a successful attempt has consumed. */
export async function refundAttempts(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
  attempts: readonly ConsumedAttempt[],
): Promise<void> {
  await commit(db, {
    tenantId,
    statements: {
      counters: attempts.map(({ counter, limit }) => refundAttempt(db, tenantId, counter, limit)),
    },
    audit: notAudited('the attempt is audited, not its counter'),
  })
}
