import { and, eq, sql } from 'drizzle-orm'
import { OWNER_ROLE } from '../../contract/organisations/organizations.ts'
import { isOpenInvitation, isPendingAt } from '../access/invitation-states.ts'
import { readTogether } from '../batches.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import {
  organizationInvitations,
  organizationRoles,
  organizations,
  organizationUsers,
  users,
} from '../tables.ts'
import { suggestedOrganizationsQuery } from './domain-members.ts'
import { membershipsOfUserQuery } from './memberships.ts'

/**
 * Selects what the account centre shows of the organisations of its user (spec/organisations#account-centre). The
 * functions return statements for the batch that also reads the user.
 */

type OwnKey = { tenantId: string; userId: string }

/** The verified address of the user in lower case, or no row. */
const ownEmail = ({ tenantId, userId }: OwnKey) =>
  sql`select lower(${users.primaryEmail}) as address from ${users} where ${users.tenantId} = ${tenantId} and ${users.id} = ${userId}
    and ${users.emailVerified}`

const isOwnMembership = ({ tenantId, userId }: OwnKey) =>
  and(eq(organizationUsers.tenantId, tenantId), eq(organizationUsers.userId, userId))

const isOpenOwnInvitation = (key: OwnKey, now: number): Condition =>
  sql`${organizationInvitations.tenantId} = ${key.tenantId} and ${organizationInvitations.email} = (${ownEmail(key)})
    and ${isPendingAt(organizationInvitations, now)}`

/**
 * Selects whether the account centre has a section for organisations: the user is a member of one, or could become one.
 */
export const organizationUseQuery = (db: Database, key: OwnKey, now: number) =>
  db.all<{ isUsed: 0 | 1 }>(sql`select
    exists (select 1 from ${organizationUsers} where ${isOwnMembership(key)})
    or exists (select 1 from ${organizationInvitations} where ${isOpenOwnInvitation(key, now)})
    or exists ${suggestedOrganizationsQuery(db, key.tenantId, key.userId)} as isUsed`)

/** The number of invitations that the page lists. */
const MAX_OFFERS = 100

/** The names of an offer's roles, in alphabetical order. Roles that no longer exist are left out. */
const roleNamesIn = (roleIds: Condition) =>
  sql<string[]>`(select json_group_array(name) from (select role.name from ${organizationRoles} as role
    where role.tenant_id = ${organizations.tenantId}
      and role.id in (select value from json_each(${roleIds})) order by role.name))`.mapWith(
    (names: string): string[] => JSON.parse(names),
  )

/** Selects the open invitations to the user's verified address, the newest first. */
export const ownInvitationsQuery = (db: Database, key: OwnKey, now: number) =>
  db
    .select({
      id: organizationInvitations.id,
      name: organizations.name,
      brand: organizations.brand,
      roleNames: roleNamesIn(sql`${organizationInvitations.roleIds}`).as('role_names'),
      expiresAt: organizationInvitations.expiresAt,
    })
    .from(organizationInvitations)
    .innerJoin(
      organizations,
      and(
        eq(organizations.tenantId, organizationInvitations.tenantId),
        eq(organizations.id, organizationInvitations.organizationId),
      ),
    )
    .where(isOpenOwnInvitation(key, now))
    .orderBy(sql`${organizationInvitations.createdAt} desc`)
    .limit(MAX_OFFERS)

const isOwnInvitation = (key: OwnKey, id: string): Condition =>
  sql`${organizationInvitations.tenantId} = ${key.tenantId} and ${organizationInvitations.id} = ${id}
    and ${organizationInvitations.email} = (${ownEmail(key)})`

/** Selects the digest of an invitation to the user's verified address, in any state. */
export const ownInvitationDigestQuery = (db: Database, key: OwnKey, id: string) =>
  db
    .select({ digest: organizationInvitations.digest })
    .from(organizationInvitations)
    .where(isOwnInvitation(key, id))

export const hasOpenOwnInvitation = (key: OwnKey, id: string): Condition =>
  sql`exists (select 1 from ${organizationInvitations}
    where ${isOwnInvitation(key, id)} and ${isOpenInvitation(organizationInvitations)})`

/** Ends an open invitation to the user's verified address. Returns a row if there is one. */
export const declineOwnInvitation = (db: Database, key: OwnKey, id: string, now: number) =>
  db
    .update(organizationInvitations)
    .set({ revokedAt: now })
    .where(and(isOwnInvitation(key, id), isOpenInvitation(organizationInvitations)))
    .returning({ organizationId: organizationInvitations.organizationId })

/** Selects the id and name of every role of the template, the owner first. */
export const organizationRoleNamesQuery = (db: Database, tenantId: string) =>
  db
    .select({ id: organizationRoles.id, name: organizationRoles.name })
    .from(organizationRoles)
    .where(eq(organizationRoles.tenantId, tenantId))
    .orderBy(sql`${organizationRoles.id} <> ${OWNER_ROLE.id}`, organizationRoles.name)

/** Counts the organisations of which the user is a member. */
export const membershipCountQuery = (db: Database, key: OwnKey) =>
  db
    .select({ count: sql<number>`count(*)`.as('membership_count') })
    .from(organizationUsers)
    .where(isOwnMembership(key))

/** Selects the organisations of the user with the user's roles there, the last used first. */
export async function listOwnOrganizations(db: Database, { tenantId, userId }: OwnKey) {
  const { memberships, roles } = await readTogether(db, {
    memberships: membershipsOfUserQuery(db, tenantId, userId),
    roles: organizationRoleNamesQuery(db, tenantId),
  })
  return memberships.map(({ id, name, roleIds }) => {
    const ids: readonly string[] = JSON.parse(roleIds)
    return { id, name, roles: roles.filter((role) => ids.includes(role.id)) }
  })
}
