import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { users } from './tables.ts'

/** In the order of ids from behind one of them, with the names of their roles: a page costs the same wherever it is. */
export const exportQuery = (
  db: Database,
  tenantId: string,
  { after, limit }: { after: string; limit: number },
) =>
  db
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
    })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), gt(users.id, after)))
    .orderBy(asc(users.id))
    .limit(limit)
