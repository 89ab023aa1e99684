import { and, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { allOf, type Condition, isAlwaysTrue } from '../conditions.ts'
import type { Database } from '../database.ts'
import { isOfModel } from '../interactions/oidc-models.ts'
import { consumptionOf } from '../interactions/single-use.ts'
import { oidcModelInstances as models, users } from '../tables.ts'
import { hasUserKey } from '../users/users.ts'
import { isOwner } from './administration.ts'
import { ensureLinks } from './role-links.ts'

/**
 * Invitations of administrators, as rows that live as long as they count (spec/storage#oidc-models). The id is the keyed digest of
 * what the link has.
 */
const MODEL_NAME = 'AdministratorInvitation'

/** What whoever uses it gets, and from whom: `invitedBy` is null for an application. `at` in epoch milliseconds. */
export type StoredInvitation = {
  roleId: string
  email: string | null
  invitedBy: { userId: string; at: number } | null
}

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

type Acceptance = Pick<StoredInvitation, 'roleId' | 'invitedBy'> & {
  tenantId: string
  id: string
  userId: string
  now: number
}

/** The use of one, and the role that it gives. Of many at the same time one has the condition; `also` is one of the caller's. */
export function acceptanceOf(
  db: Database,
  { tenantId, id, roleId, invitedBy, userId, now }: Acceptance,
  also: Condition = isAlwaysTrue,
) {
  const use = consumptionOf(db, { tenantId, modelName: MODEL_NAME, id }, { now })
  const condition = allOf(use.condition, invitedBy ? stillInvites(tenantId, invitedBy) : isAlwaysTrue, also)
  const links = [{ roleId, memberId: userId }]
  return {
    condition,
    role: ensureLinks(db, tenantId, 'user', links, condition),
    /** Answers a row if the condition held. */
    used: [use.mark(condition)],
  }
}

/** Whoever lost an account to a thief, or an owner to another one, ends with the account the invitations that were made with it. */
const stillInvites = (
  tenantId: string,
  { userId, at }: NonNullable<StoredInvitation['invitedBy']>,
): Condition =>
  allOf(
    isOwner(tenantId, userId),
    sql`exists (select 1 from ${users} where ${and(
      hasUserKey(tenantId, userId),
      eq(users.isSuspended, false),
      or(isNull(users.revokedAt), lte(users.revokedAt, at)),
    )})`,
  )
