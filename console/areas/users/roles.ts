import type { z } from 'zod'
import { ADMINISTRATOR_ROLES } from '../../../src/contract/access/management-scopes.ts'
import type { RoleSchema } from '../../../src/contract/access/roles.schema.ts'
import { useApi } from '../../api/queries.ts'
import { useCan } from '../../session/permissions.tsx'

export type Role = Pick<z.infer<typeof RoleSchema>, 'id' | 'name'>

/** The query of the roles of a user: all of them, for most. */
export const USER_ROLES_QUERY = { page_size: 100, withInternal: true }

/** The first hundred roles and those of administrators, which are in no list; undefined to who may not read them. */
export function useRoles(): readonly Role[] | undefined {
  const mayRead = useCan('roles:read')
  const { data } = useApi<Role[]>('/roles', { query: { page_size: 100 }, isEnabled: mayRead })
  return data && [...data.data, ...ADMINISTRATOR_ROLES]
}
