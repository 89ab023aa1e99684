import type { z } from 'zod'
import { ADMINISTRATOR_ROLES } from '../../src/contract/access/management-scopes.ts'
import type { RoleSchema } from '../../src/contract/access/roles.schema.ts'
import { useApi } from '../api/queries.ts'
import { useCan } from '../session/permissions.tsx'

export type Role = Pick<z.infer<typeof RoleSchema>, 'id' | 'name'>

/** The query for the roles of a user or a service. One page includes all of them in most cases. */
export const HOLDER_ROLES_QUERY = { page_size: 100, withInternal: true }

/**
 * Returns the first hundred roles and the administrator roles, which the API's list doesn't include. Returns undefined
 * if the user may not read roles.
 */
export function useRoles(): readonly Role[] | undefined {
  const mayRead = useCan('roles:read')
  const { data } = useApi<Role[]>('/roles', { query: { page_size: 100 }, isEnabled: mayRead })
  return data && [...data.data, ...ADMINISTRATOR_ROLES]
}
