import { and, eq, ne, sql } from 'drizzle-orm'
import { allOf, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { secondFactorDeferrals } from '../tables.ts'
import { userExists } from '../users/users.ts'
import type { FactorOwner } from './factors.ts'

/** Records how often accounts have deferred setting up a second factor (spec/accounts#put-off). */

type Deferral = { interactionId: string; now: number }

/** Records a deferral in the batch of the sign-in. The statement runs after the row of a new user is written. */
export const insertDeferralIf = (
  db: Database,
  { tenantId, userId }: FactorOwner,
  condition: Condition,
  { interactionId, now }: Deferral,
) =>
  db.run(sql`insert into ${secondFactorDeferrals} (tenant_id, user_id, interaction_id, created_at)
    select ${tenantId}, ${userId}, ${interactionId}, ${now} where ${allOf(condition, userExists(tenantId, userId))}
    on conflict do nothing`)

/**
 * Checks whether the user may defer the second factor once more, even if several requests arrive at once. The deferral
 * of the current interaction is not counted, so that the condition has the same value in all statements of its batch.
 */
export const mayDefer = (
  { tenantId, userId }: FactorOwner,
  { interactionId, most }: { interactionId: string; most: number },
): Condition =>
  sql`(select count(*) from ${secondFactorDeferrals} where ${and(
    eq(secondFactorDeferrals.tenantId, tenantId),
    eq(secondFactorDeferrals.userId, userId),
    ne(secondFactorDeferrals.interactionId, interactionId),
  )}) < ${most}`
