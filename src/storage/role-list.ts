import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { ADMIN_ROLE } from '../contract/product.ts'
import type { Database } from './database.ts'
import { roles, usersRoles } from './tables.ts'
import { matches, type TextSearch } from './text-search.ts'
import { COUNTED_AT_MOST, cappedTotal, offsetOf, type Page, totalQuery } from './totals.ts'

/** Roles, by name. Internal ones can be given and looked at, but are in no list (contract 8.2). */

export type Role = typeof roles.$inferSelect
export type NewRole = Omit<Role, 'tenantId'>
export type RoleChanges = Partial<Pick<Role, 'name' | 'description'>>

export const roleSearchFields = ['id', 'name', 'description'] as const
export type RoleSearch = TextSearch<(typeof roleSearchFields)[number]>

export type FeaturedUser = { id: string; avatar: string | null; name: string | null }
export type ListedRole = Role & { usersCount: number; featuredUsers: FeaturedUser[] }

type Asked = Page & { search: RoleSearch }

/** With how many users have the role, of whom no more are counted than of a filtered list (decision 36), and three of them. */
export async function listRoles(
  db: Database,
  tenantId: string,
  { search, withoutUserId, ...page }: Asked & { withoutUserId?: string | undefined },
): Promise<{ roles: ListedRole[]; total: number; isCapped: boolean }> {
  const condition = and(
    listed(tenantId, search),
    withoutUserId === undefined ? undefined : sql`not ${hasUser(tenantId, withoutUserId)}`,
  )
  const isWhole = search.terms.length === 0 && withoutUserId === undefined
  const [found, [counted]] = await db.batch([
    db
      .select({ ...columns, usersCount: usersCount(tenantId), featuredUsers: featuredUsers(tenantId) })
      .from(roles)
      .where(condition)
      .orderBy(asc(roles.name))
      .limit(page.pageSize)
      .offset(offsetOf(page)),
    isWhole ? totalQuery(db, tenantId, 'roles') : countQuery(db, condition),
  ])
  const total = counted?.count ?? 0
  return { roles: found, ...(isWhole ? { total, isCapped: false } : cappedTotal(total)) }
}

export async function listRolesOfUser(
  db: Database,
  tenantId: string,
  { search, userId, ...page }: Asked & { userId: string },
): Promise<{ roles: Role[]; total: number; isCapped: boolean }> {
  const condition = and(
    listed(tenantId, search),
    sql`${roles.id} in (select role_id from ${usersRoles}
      where ${and(eq(usersRoles.tenantId, tenantId), eq(usersRoles.userId, userId))})`,
  )
  const [found, [counted]] = await db.batch([
    db
      .select(columns)
      .from(roles)
      .where(condition)
      .orderBy(asc(roles.name))
      .limit(page.pageSize)
      .offset(offsetOf(page)),
    countQuery(db, condition),
  ])
  return { roles: found, ...cappedTotal(counted?.count ?? 0) }
}

export async function getRole(db: Database, tenantId: string, id: string): Promise<Role | null> {
  const [found] = await roleQuery(db, tenantId, id)
  return found ?? null
}

export const roleQuery = (db: Database, tenantId: string, id: string) =>
  db.select().from(roles).where(is(tenantId, id))

/** Those of the ids that exist. */
export const existingRolesQuery = (db: Database, tenantId: string, ids: readonly string[]) =>
  db
    .select({ id: roles.id })
    .from(roles)
    .where(
      and(
        eq(roles.tenantId, tenantId),
        sql`${roles.id} in (select value from json_each(${JSON.stringify(ids)}))`,
      ),
    )

/** For the batch of a change and its audit row (decision 19); so are the statements below. */
export const insertRole = (db: Database, tenantId: string, { id, name, description }: NewRole) =>
  db.insert(roles).values({ tenantId, id, name, description }).returning()

/** At least one change must be given. */
export const updateRole = (db: Database, tenantId: string, id: string, changes: RoleChanges) =>
  db.update(roles).set(changes).where(is(tenantId, id)).returning()

export const removeRole = (db: Database, tenantId: string, id: string) =>
  db.delete(roles).where(is(tenantId, id)).returning({ id: roles.id })

/** As a condition for other statements of a batch. */
export const isRole = (tenantId: string, id: string): SQL =>
  sql`exists (select 1 from ${roles} where ${is(tenantId, id)})`

export const ROLE_NAME_TAKEN = 'roles.tenant_id, roles.name'

const columns = { tenantId: roles.tenantId, id: roles.id, name: roles.name, description: roles.description }

const [INTERNAL_PREFIX = ''] = ADMIN_ROLE.name.split(':')

const listed = (tenantId: string, search: RoleSearch) =>
  and(
    eq(roles.tenantId, tenantId),
    // As the trigger that counts them has it (migrations/0001).
    sql`${roles.name} not like ${`${INTERNAL_PREFIX}:%`}`,
    matches(search, roles),
  )

const hasUser = (tenantId: string, userId: string): SQL =>
  sql`exists (select 1 from ${usersRoles} where ${and(
    eq(usersRoles.tenantId, tenantId),
    eq(usersRoles.userId, userId),
    eq(usersRoles.roleId, roles.id),
  )})`

// In plain words: drizzle drops the table before a column where it believes that there is only one table.
const usersCount = (tenantId: string) =>
  sql<number>`(select count(*) from (select 1 from users_roles
    where users_roles.tenant_id = ${tenantId} and users_roles.role_id = roles.id
    limit ${COUNTED_AT_MOST}) as some)`.as('users_count')

const featuredUsers = (tenantId: string) =>
  sql<
    FeaturedUser[]
  >`(select json_group_array(json_object('id', users.id, 'avatar', users.avatar, 'name', users.name))
    from (select users_roles.user_id from users_roles where users_roles.tenant_id = ${tenantId}
      and users_roles.role_id = roles.id limit ${FEATURED_USERS}) as some
    cross join users on users.tenant_id = ${tenantId} and users.id = some.user_id)`
    .mapWith(JSON.parse)
    .as('featured_users')

const FEATURED_USERS = 3 // contract 8.2

function countQuery(db: Database, condition: SQL | undefined) {
  const some = db
    .select({ id: roles.id })
    .from(roles)
    .where(condition)
    .limit(COUNTED_AT_MOST + 1)
    .as('some')
  return db.select({ count: sql<number>`count(*)`.as('count') }).from(some)
}

const is = (tenantId: string, id: string) => and(eq(roles.tenantId, tenantId), eq(roles.id, id))
