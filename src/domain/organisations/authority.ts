import { type OrganizationPermission, OWNER_ROLE } from '../../contract/organisations/organizations.ts'

/**
 * Decides what a member may do in the administration of an organisation (spec/organisations#authority). Roles are
 * compared by their ids, never by their names.
 */

/** A role with everything that it gives: permissions, and the ids of scopes of the organisation and of resources. */
export type RolePowers = {
  id: string
  permissions: readonly OrganizationPermission[]
  scopeIds: readonly string[]
}

export const isOwner = (roles: readonly { id: string }[]): boolean =>
  roles.some(({ id }) => id === OWNER_ROLE.id)

export const hasPermission = (
  roles: readonly Pick<RolePowers, 'id' | 'permissions'>[],
  permission: OrganizationPermission,
): boolean => isOwner(roles) || roles.some(({ permissions }) => permissions.includes(permission))

/**
 * Reports whether a member may give a role to others, or take it away: an owner may, and others if the role contains
 * nothing that their own roles lack.
 */
export function mayAssignRole(own: readonly RolePowers[], role: RolePowers): boolean {
  if (isOwner(own)) return true
  if (role.id === OWNER_ROLE.id) return false
  const scopeIds = new Set(own.flatMap((each) => each.scopeIds))
  return (
    role.permissions.every((permission) => hasPermission(own, permission)) &&
    role.scopeIds.every((id) => scopeIds.has(id))
  )
}
