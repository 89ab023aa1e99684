import { and, gt, inArray, isNull } from 'drizzle-orm'
import { allOf, type Condition, isAlwaysTrue } from './conditions.ts'
import type { Database } from './database.ts'
import { isOfModel } from './oidc-models.ts'
import { ensureLinks } from './role-links.ts'
import { consumptionOf } from './single-use.ts'
import { oidcModelInstances as models } from './tables.ts'

/**
 * Invitations of administrators, as rows that live as long as they count (spec/storage#oidc-models). The id is the keyed digest of
 * what the link has.
 */
const MODEL_NAME = 'AdministratorInvitation'

/** What whoever uses it gets. */
export type StoredInvitation = { roleId: string; email: string | null }

type NewInvitation = { tenantId: string; id: string; payload: StoredInvitation; expiresAt: number }

/** Safe to repeat. */
export const insertInvitation = (db: Database, invitation: NewInvitation) =>
  db
    .insert(models)
    .values({ ...invitation, modelName: MODEL_NAME })
    .onConflictDoNothing()
    .returning({ id: models.id })

/** One that can be used at this time, under one of these ids. */
export const openInvitationQuery = (db: Database, tenantId: string, ids: readonly string[], now: number) =>
  db
    .select({ id: models.id, payload: models.payload })
    .from(models)
    .where(
      and(
        isOfModel(tenantId, MODEL_NAME),
        inArray(models.id, [...ids]),
        isNull(models.consumedAt),
        gt(models.expiresAt, now),
      ),
    )
    .limit(1)

type Acceptance = { tenantId: string; id: string; roleId: string; userId: string; now: number }

/** The use of one, and the role that it gives. Of many at the same time one has the condition; `also` is one of the caller's. */
export function acceptanceOf(
  db: Database,
  { tenantId, id, roleId, userId, now }: Acceptance,
  also: Condition = isAlwaysTrue,
) {
  const use = consumptionOf(db, { tenantId, modelName: MODEL_NAME, id }, { now })
  const condition = allOf(use.condition, also)
  const links = [{ roleId, memberId: userId }]
  return {
    condition,
    role: ensureLinks(db, tenantId, 'user', links, condition),
    /** Answers a row if the condition held. */
    used: [use.mark(condition)],
  }
}
