import { and, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { ALWAYS_TRUE, allOf, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { matchesModelName } from '../interactions/oidc-models.ts'
import { consumeExisting } from '../interactions/single-use.ts'
import { oidcModelInstances as models, users } from '../tables.ts'
import { matchesUserKey } from '../users/users.ts'
import { isOwner } from './administration.ts'
import { insertMissingLinks } from './role-links.ts'

/**
 * Invitations for administrators. Each is stored as a row that exists as long as the invitation is valid
 * (spec/storage#oidc-models). The row's id is the keyed digest of the token in the link.
 */
const MODEL_NAME = 'AdministratorInvitation'

/**
 * The role that an invitation grants, its recipient and its sender. `invitedBy` is null if an application sent it; `at`
 * is in epoch milliseconds.
 */
export type StoredInvitation = {
  roleId: string
  email: string | null
  invitedBy: { userId: string; at: number } | null
}

type NewInvitation = { tenantId: string; id: string; payload: StoredInvitation; expiresAt: number }

/** Inserts an invitation. The statement is safe to repeat. */
export const insertInvitation = (db: Database, invitation: NewInvitation) =>
  db
    .insert(models)
    .values({ ...invitation, modelName: MODEL_NAME })
    .onConflictDoNothing()
    .returning({ id: models.id })

/** The name of the user who sent an invitation, as other people know it. */
const inviterName = sql<string | null>`coalesce(${users.name}, ${users.username}, ${users.primaryEmail})`

/** Selects the invitation with one of these ids that is valid at this time, and the name of its sender. */
export const validInvitationQuery = (db: Database, tenantId: string, ids: readonly string[], now: number) =>
  db
    .select({ id: models.id, payload: models.payload, expiresAt: models.expiresAt, inviter: inviterName })
    .from(models)
    .leftJoin(
      users,
      and(
        eq(users.tenantId, tenantId),
        eq(users.id, sql`json_extract(${models.payload}, '$.invitedBy.userId')`),
      ),
    )
    .where(
      and(
        matchesModelName(tenantId, MODEL_NAME),
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

/**
 * Builds the statements that consume an invitation and grant its role. Their condition includes `extraCondition`, and
 * only one of several concurrent requests can meet it.
 */
export function invitationAcceptanceStatements(
  db: Database,
  { tenantId, id, roleId, invitedBy, userId, now }: Acceptance,
  extraCondition: Condition = ALWAYS_TRUE,
) {
  const use = consumeExisting(db, { tenantId, modelName: MODEL_NAME, id }, { now })
  const condition = allOf(
    use.condition,
    invitedBy ? stillInvites(tenantId, invitedBy) : ALWAYS_TRUE,
    extraCondition,
  )
  const links = [{ roleId, memberId: userId }]
  return {
    condition,
    role: insertMissingLinks(db, tenantId, 'user', links, condition),
    /** Returns a row if the condition held. */
    used: [use.mark(condition)],
  }
}

/**
 * Checks that the sender of an invitation may still invite administrators. The invitation becomes invalid if its sender
 * is suspended, signed out everywhere, or no longer an owner.
 */
const stillInvites = (
  tenantId: string,
  { userId, at }: NonNullable<StoredInvitation['invitedBy']>,
): Condition =>
  allOf(
    isOwner(tenantId, userId),
    sql`exists (select 1 from ${users} where ${and(
      matchesUserKey(tenantId, userId),
      eq(users.isSuspended, false),
      or(isNull(users.revokedAt), lte(users.revokedAt, at)),
    )})`,
  )
