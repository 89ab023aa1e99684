import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { users } from './tables.ts'

/**
 * So much custom data a page holds, and one user at least: five hundred with all the data they may have would be 33 MB, read,
 * written out and sent by an isolate of 128 MB. Ours.
 */
const MOST_CHARACTERS = 4_000_000

/**
 * In the order of ids from behind one of them, with the names of their roles: a page costs the same wherever it is. `last` is
 * who would be the last of one user more than asked: if that is the last of the page, nobody follows.
 */
export const exportQuery = (
  db: Database,
  tenantId: string,
  { after, limit }: { after: string; limit: number },
) => {
  const ahead = sql`(select id, custom_data, identities from users
    where tenant_id = ${tenantId} and id > ${after} order by id limit ${limit + 1}) as ahead`
  // In the order in which they come, said without ORDER BY, for which libSQL would sort them again.
  const end = sql`(select max(id) from (select id, row_number() over () as place,
      sum(length(custom_data) + length(identities)) over (rows unbounded preceding) as characters
      from ${ahead}) as measured
    where place = 1 or (place <= ${limit} and characters <= ${MOST_CHARACTERS}))`
  return db
    .select({
      id: users.id,
      username: users.username,
      primaryEmail: users.primaryEmail,
      primaryPhone: users.primaryPhone,
      name: users.name,
      avatar: users.avatar,
      customData: users.customData,
      identities: users.identities,
      isSuspended: users.isSuspended,
      createdAt: users.createdAt,
      lastSignInAt: users.lastSignInAt,
      // In plain words: in a SELECT from one table drizzle leaves the tables' names away.
      roleNames: sql`(select json_group_array(roles.name) from users_roles
        cross join roles on roles.tenant_id = users_roles.tenant_id and roles.id = users_roles.role_id
        where users_roles.tenant_id = users.tenant_id and users_roles.user_id = users.id)`
        .mapWith((names: string): string[] => JSON.parse(names))
        .as('role_names'),
      last: sql<string>`(select max(id) from ${ahead})`.as('last'),
    })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), gt(users.id, after), lte(users.id, end)))
    .orderBy(asc(users.id))
}
