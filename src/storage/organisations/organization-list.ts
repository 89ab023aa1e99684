import { and, desc, eq, sql } from 'drizzle-orm'
import { readTogether } from '../batches.ts'
import type { Database } from '../database.ts'
import { organizations, organizationUsers } from '../tables.ts'
import { type TextSearch, textSearchCondition } from '../text-search.ts'
import { cappedCountQuery, cappedTotal, type PageRange, pageOffset } from '../totals.ts'
import { isMembershipOf, memberRolesJson, memberSourcesJson } from './member-columns.ts'

export const organizationSearchFields = ['id', 'name', 'description'] as const
type OrganizationSearch = TextSearch<(typeof organizationSearchFields)[number]>

/** Lists organisations, newest first. */
export async function listOrganizations(
  db: Database,
  tenantId: string,
  { search, ...page }: PageRange & { search: OrganizationSearch },
) {
  const condition = and(eq(organizations.tenantId, tenantId), textSearchCondition(search, organizations))
  const { rows, counts } = await readTogether(db, {
    rows: db
      .select()
      .from(organizations)
      .where(condition)
      .orderBy(desc(organizations.createdAt), desc(organizations.id))
      .limit(page.pageSize)
      .offset(pageOffset(page)),
    counts: cappedCountQuery(db, db.select({ id: organizations.id }).from(organizations).where(condition)),
  })
  return { organizations: rows, ...cappedTotal(counts[0]?.count ?? 0) }
}

/** Lists the organisations of a user, in the order in which the user joined them, the newest first. */
export async function listOrganizationsOfUser(
  db: Database,
  tenantId: string,
  { userId, ...page }: PageRange & { userId: string },
) {
  const ofUser = isMembershipOf(tenantId, userId)
  const { rows, counts } = await readTogether(db, {
    rows: db
      .select({
        id: organizations.id,
        name: organizations.name,
        description: organizations.description,
        roles: memberRolesJson.as('roles'),
        sources: memberSourcesJson.as('sources'),
        joinedAt: sql<number>`${organizationUsers.createdAt}`.as('joined_at'),
      })
      .from(organizationUsers)
      .innerJoin(
        organizations,
        and(eq(organizations.tenantId, tenantId), eq(organizations.id, organizationUsers.organizationId)),
      )
      .where(ofUser)
      .orderBy(desc(organizationUsers.createdAt), organizations.name, organizations.id)
      .limit(page.pageSize)
      .offset(pageOffset(page)),
    counts: cappedCountQuery(
      db,
      db.select({ id: organizationUsers.organizationId }).from(organizationUsers).where(ofUser),
    ),
  })
  return { organizations: rows, ...cappedTotal(counts[0]?.count ?? 0) }
}
