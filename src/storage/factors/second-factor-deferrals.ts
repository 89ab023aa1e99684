import { and, eq, ne, sql } from 'drizzle-orm'
import { allOf, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { secondFactorDeferrals } from '../tables.ts'
import { isUser } from '../users/users.ts'
import type { FactorOwner } from './factors.ts'

/** How often accounts have put off having a second factor (spec/accounts#put-off). */

type Deferral = { interactionId: string; now: number }

/** In the batch of the sign-in, behind a user who is new. */
export const insertDeferralIf = (
  db: Database,
  { tenantId, userId }: FactorOwner,
  condition: Condition,
  { interactionId, now }: Deferral,
) =>
  db.run(sql`insert into ${secondFactorDeferrals} (tenant_id, user_id, interaction_id, created_at)
    select ${tenantId}, ${userId}, ${interactionId}, ${now} where ${allOf(condition, isUser(tenantId, userId))}
    on conflict do nothing`)

/** Of many at the same time no more succeed. The own one does not count, so that all statements of its batch agree. */
export const mayDefer = (
  { tenantId, userId }: FactorOwner,
  { interactionId, most }: { interactionId: string; most: number },
): Condition =>
  sql`(select count(*) from ${secondFactorDeferrals} where ${and(
    eq(secondFactorDeferrals.tenantId, tenantId),
    eq(secondFactorDeferrals.userId, userId),
    ne(secondFactorDeferrals.interactionId, interactionId),
  )}) < ${most}`
