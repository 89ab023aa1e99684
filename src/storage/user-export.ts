import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import { portableUserFields } from '../contract/user-fields.ts'
import { pick } from '../domain/pick.ts'
import type { Database } from './database.ts'
import { users } from './tables.ts'
import { userColumns } from './users.ts'

/**
 * Custom data and identities of a page, which holds one user at least: five hundred users with all the data they may
 * have would be 33 MB in an isolate of 128 MB.
 */
const MOST_CHARACTERS = 4_000_000

/**
 * Users in the order of their ids, with the names of their roles: every page costs the same. `last` is the last id of a
 * page that is longer by one user: if it is the last of this page, no user follows.
 */
export const exportQuery = (
  db: Database,
  tenantId: string,
  { after, limit }: { after: string; limit: number },
) => {
  const ahead = sql`(select id, custom_data, identities from users
    where tenant_id = ${tenantId} and id > ${after} order by id limit ${limit + 1}) as ahead`
  // In the order in which they come, without ORDER BY, for which libSQL would sort them again.
  const end = sql`(select max(id) from (select id, row_number() over () as place,
      sum(length(custom_data) + length(identities)) over (rows unbounded preceding) as characters
      from ${ahead}) as measured
    where place = 1 or (place <= ${limit} and characters <= ${MOST_CHARACTERS}))`
  return db
    .select({
      ...pick(userColumns, portableUserFields),
      // Written out: in a SELECT from one table drizzle omits the table before a column.
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
