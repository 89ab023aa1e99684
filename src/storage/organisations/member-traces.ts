import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import {
  organizationFormerUsers,
  organizationInvitations,
  organizations,
  organizationUsers,
} from '../tables.ts'
import { isMembershipOf, memberRolesJson, memberSourcesJson } from './member-columns.ts'

/** Data about a user that organisations store: for the download of the user's data, and for the user's erasure. */

type Owner = { tenantId: string; userId: string }

export const organizationTraceQueries = (db: Database, { tenantId, userId }: Owner) => ({
  organizations: db
    .select({
      id: organizations.id,
      name: organizations.name,
      roles: memberRolesJson.as('member_roles'),
      sources: memberSourcesJson.as('member_sources'),
      joinedAt: sql<number>`${organizationUsers.createdAt}`.as('joined_at'),
      usedAt: organizationUsers.usedAt,
    })
    .from(organizationUsers)
    .innerJoin(
      organizations,
      and(eq(organizations.tenantId, tenantId), eq(organizations.id, organizationUsers.organizationId)),
    )
    .where(isMembershipOf(tenantId, userId))
    .orderBy(desc(organizationUsers.createdAt), organizations.id),
  createdOrganizations: db
    .select({ id: organizations.id, name: organizations.name, createdAt: organizations.createdAt })
    .from(organizations)
    .where(and(eq(organizations.tenantId, tenantId), eq(organizations.createdBy, userId)))
    .orderBy(desc(organizations.createdAt), organizations.id),
  organizationInvitations: db
    .select({
      organizationId: organizationInvitations.organizationId,
      email: organizationInvitations.email,
      createdAt: organizationInvitations.createdAt,
      acceptedAt: organizationInvitations.acceptedAt,
    })
    .from(organizationInvitations)
    .where(
      and(eq(organizationInvitations.tenantId, tenantId), eq(organizationInvitations.acceptedBy, userId)),
    )
    .orderBy(desc(organizationInvitations.createdAt)),
  formerOrganizations: db
    .select({ id: organizations.id, name: organizations.name })
    .from(organizationFormerUsers)
    .innerJoin(
      organizations,
      and(eq(organizations.tenantId, tenantId), eq(organizations.id, organizationFormerUsers.organizationId)),
    )
    .where(and(eq(organizationFormerUsers.tenantId, tenantId), eq(organizationFormerUsers.userId, userId)))
    .orderBy(organizations.id),
})

/**
 * Erases what organisations store about a deleted user besides the memberships, which are deleted with the account.
 * Invitations by the user are no longer valid. Of those to an address of the user, only the ones that are older than the
 * deletion go, because the address may belong to somebody else by then. `verified` is a list of addresses.
 */
export const eraseOrganizationTraces = (
  db: Database,
  { tenantId, userId, verified, createdAt }: Owner & { verified: SQL; createdAt: number },
) => ({
  organizationInvitations: db.delete(organizationInvitations).where(
    sql`${organizationInvitations.tenantId} = ${tenantId} and (${organizationInvitations.acceptedBy} = ${userId}
        or (${organizationInvitations.inviterType} in ('member', 'user') and ${organizationInvitations.inviterId} = ${userId})
        or (${organizationInvitations.createdAt} <= ${createdAt} and ${organizationInvitations.email} in ${verified}))`,
  ),
  createdOrganizations: db
    .update(organizations)
    .set({ createdBy: null })
    .where(and(eq(organizations.tenantId, tenantId), eq(organizations.createdBy, userId))),
})
