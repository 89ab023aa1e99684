import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { ADMIN_ROLE } from '../../contract/product.ts'
import { readTogether } from '../batches.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { applicationsRoles, roles, usersRoles } from '../tables.ts'
import { type TextSearch, textSearchCondition } from '../text-search.ts'
import {
  cappedCountQuery,
  cappedTotal,
  MAX_LIST_COUNT,
  type PageRange,
  pageOffset,
  totalQuery,
} from '../totals.ts'
import type { UserRow } from '../users/users.ts'

/**
 * Lists roles, ordered by name. Internal roles can be assigned and read, but do not appear in lists
 * (spec/management#internal-roles).
 */

export type RoleRow = typeof roles.$inferSelect
type PolicyColumns = Pick<RoleRow, 'secondFactorPolicy' | 'rememberDays'>
export type NewRole = Omit<RoleRow, 'tenantId' | keyof PolicyColumns> & Partial<PolicyColumns>
export type RoleChanges = Partial<Pick<RoleRow, 'name' | 'description'> & PolicyColumns>

export const roleSearchFields = ['id', 'name', 'description'] as const
type RoleSearch = TextSearch<(typeof roleSearchFields)[number]>

type FeaturedUser = Pick<UserRow, 'id' | 'avatar' | 'name'>
type ListedRole = RoleRow & { usersCount: number; featuredUsers: FeaturedUser[] }

type RoleQuery = PageRange & { search: RoleSearch }

/**
 * Lists roles, each with three of its users and the number of its users, which is capped as in a filtered list
 * (ADR-0051).
 */
export async function listRoles(
  db: Database,
  tenantId: string,
  { search, withoutUserId, ...page }: RoleQuery & { withoutUserId?: string | undefined },
): Promise<{ roles: ListedRole[]; total: number; isCapped: boolean }> {
  const condition = and(
    isListed(tenantId, search),
    withoutUserId === undefined ? undefined : sql`not ${hasUser(tenantId, withoutUserId)}`,
  )
  const isWhole = search.terms.length === 0 && withoutUserId === undefined
  const { rows, counts } = await readTogether(db, {
    rows: db
      .select({ ...columns, usersCount: usersCount(tenantId), featuredUsers: featuredUsers(tenantId) })
      .from(roles)
      .where(condition)
      .orderBy(asc(roles.name))
      .limit(page.pageSize)
      .offset(pageOffset(page)),
    counts: isWhole ? totalQuery(db, tenantId, 'roles') : countQuery(db, condition),
  })
  const total = counts[0]?.count ?? 0
  return { roles: rows, ...(isWhole ? { total, isCapped: false } : cappedTotal(total)) }
}

/** The links between roles and those who can have them. */
const holders = {
  user: { links: usersRoles, holderId: usersRoles.userId },
  application: { links: applicationsRoles, holderId: applicationsRoles.applicationId },
} as const

/** Identifies a user or an application whose roles are listed. */
type RoleHolder = { kind: keyof typeof holders; id: string }

export async function listRolesOf(
  db: Database,
  tenantId: string,
  holder: RoleHolder,
  { search, withInternal, ...page }: RoleQuery & { withInternal: boolean },
): Promise<{ roles: RoleRow[]; total: number; isCapped: boolean }> {
  const { links, holderId } = holders[holder.kind]
  const condition = and(
    isListed(tenantId, search, withInternal),
    sql`${roles.id} in (select role_id from ${links}
      where ${and(eq(links.tenantId, tenantId), eq(holderId, holder.id))})`,
  )
  const { rows, counts } = await readTogether(db, {
    rows: db
      .select(columns)
      .from(roles)
      .where(condition)
      .orderBy(asc(roles.name))
      .limit(page.pageSize)
      .offset(pageOffset(page)),
    counts: countQuery(db, condition),
  })
  return { roles: rows, ...cappedTotal(counts[0]?.count ?? 0) }
}

export async function getRole(db: Database, tenantId: string, id: string): Promise<RoleRow | null> {
  const [row] = await roleQuery(db, tenantId, id)
  return row ?? null
}

export const roleQuery = (db: Database, tenantId: string, id: string) =>
  db.select().from(roles).where(hasKey(tenantId, id))

/** Selects those of the given roles that exist. */
export const existingRolesQuery = (db: Database, tenantId: string, ids: readonly string[]) =>
  db
    .select({ id: roles.id, name: roles.name })
    .from(roles)
    .where(
      and(
        eq(roles.tenantId, tenantId),
        sql`${roles.id} in (select value from json_each(${JSON.stringify(ids)}))`,
      ),
    )

export const insertRole = (
  db: Database,
  tenantId: string,
  { id, name, description, secondFactorPolicy, rememberDays }: NewRole,
) =>
  db.insert(roles).values({ tenantId, id, name, description, secondFactorPolicy, rememberDays }).returning()

/** Updates a role. At least one change is required. */
export const updateRole = (db: Database, tenantId: string, id: string, changes: RoleChanges) =>
  db.update(roles).set(changes).where(hasKey(tenantId, id)).returning()

export const removeRole = (db: Database, tenantId: string, id: string) =>
  db.delete(roles).where(hasKey(tenantId, id)).returning({ id: roles.id })

export const roleExists = (tenantId: string, id: string): Condition =>
  sql`exists (select 1 from ${roles} where ${hasKey(tenantId, id)})`

export const ROLE_NAME_CONSTRAINT = 'roles.tenant_id, roles.name'

const columns = {
  tenantId: roles.tenantId,
  id: roles.id,
  name: roles.name,
  description: roles.description,
  secondFactorPolicy: roles.secondFactorPolicy,
  rememberDays: roles.rememberDays,
}

const [INTERNAL_PREFIX = ''] = ADMIN_ROLE.name.split(':')

const isListed = (tenantId: string, search: RoleSearch, withInternal = false) =>
  and(
    eq(roles.tenantId, tenantId),
    // The trigger that counts roles uses the same condition (migrations/0001).
    withInternal ? undefined : sql`${roles.name} not like ${`${INTERNAL_PREFIX}:%`}`,
    textSearchCondition(search, roles),
  )

const hasUser = (tenantId: string, userId: string): SQL =>
  sql`exists (select 1 from ${usersRoles} where ${and(
    eq(usersRoles.tenantId, tenantId),
    eq(usersRoles.userId, userId),
    eq(usersRoles.roleId, roles.id),
  )})`

// Table names are written out, because drizzle omits them in a single-table SELECT.
const usersCount = (tenantId: string) =>
  sql<number>`(select count(*) from (select 1 from users_roles
    where users_roles.tenant_id = ${tenantId} and users_roles.role_id = roles.id
    limit ${MAX_LIST_COUNT}) as some)`

// Users are found through the row ids of their links, which are part of the role's index. A direct join would make
// SQLite scan another index, with all links of the tenant, until it has found three users.
const featuredUsers = (tenantId: string) =>
  sql<
    FeaturedUser[]
  >`(select json_group_array(json_object('id', users.id, 'avatar', users.avatar, 'name', users.name))
    from (select users_roles.rowid as link from users_roles where users_roles.tenant_id = ${tenantId}
      and users_roles.role_id = roles.id limit ${FEATURED_USERS}) as some
    cross join users_roles on users_roles.rowid = some.link
    cross join users on users.tenant_id = ${tenantId} and users.id = users_roles.user_id)`
    .mapWith(JSON.parse)
    .as('featured_users')

const FEATURED_USERS = 3 // spec/management#roles

const countQuery = (db: Database, condition: SQL | undefined) =>
  cappedCountQuery(db, db.select({ id: roles.id }).from(roles).where(condition))

const hasKey = (tenantId: string, id: string) => and(eq(roles.tenantId, tenantId), eq(roles.id, id))
