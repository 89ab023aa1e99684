import type { OrganizationPermission } from '../../contract/organisations/organizations.ts'
import { refuseWith } from '../../contract/refused.ts'
import {
  hasPermission,
  isOwner,
  mayAssignRole,
  type RolePowers,
} from '../../domain/organisations/authority.ts'
import type { Database } from '../../storage/database.ts'
import {
  memberMay,
  memberMayAssign,
  memberPowersQuery,
  type PowersRow,
  type RoleIds,
  toRolePowers,
} from '../../storage/organisations/authority.ts'
import type { OrganizationKey } from '../../storage/organisations/organizations.ts'
import type { Precondition } from '../../storage/preconditions.ts'

/**
 * The party that changes an organisation: an operator or service, authorized by the management API, or a member,
 * whose roles decide (spec/organisations#authority).
 */
export type ActingParty = { kind: 'operator' } | { kind: 'member'; userId: string }

/** Returns the query for the roles of the acting party, to be read together with the other facts of a change. */
export const actingRolesQuery = (db: Database, key: OrganizationKey, by: ActingParty) =>
  by.kind === 'member' ? memberPowersQuery(db, { ...key, userId: by.userId }) : undefined

type Demand = {
  /** The permission that a member needs. Some changes are only for owners. */
  permission: OrganizationPermission | 'owner'
  /** The roles that the change gives and takes, as read, and as the database reads them inside the batch. */
  roles?: { powers: readonly RolePowers[]; inBatch: RoleIds }
}

/**
 * Throws if a member may not make a change. `own` are the rows of `actingRolesQuery`. Returns the preconditions with
 * which the database checks the same again, because the member may lose a role meanwhile.
 */
export function authorize(
  key: OrganizationKey,
  { by, own }: { by: ActingParty; own: readonly PowersRow[] },
  { permission, roles }: Demand,
): Precondition[] {
  if (by.kind === 'operator') return []
  if (own.length === 0) refuseWith('organization.not_member')
  const ownRoles = toRolePowers(own)
  const isPermitted = permission === 'owner' ? isOwner(ownRoles) : hasPermission(ownRoles, permission)
  if (!isPermitted) refuseWith('organization.permission_missing')
  const roleAbove = roles?.powers.find((role) => !mayAssignRole(ownRoles, role))
  if (roleAbove) refuseWith('organization.role_above_own', { roleId: roleAbove.id })

  const { tenantId, organizationId } = key
  const member = { tenantId, organizationId, userId: by.userId }
  return [
    { condition: memberMay(member, permission), code: 'organization.permission_missing' },
    ...(roles
      ? [
          {
            condition: memberMayAssign(member, roles.inBatch),
            code: 'organization.role_above_own',
          } satisfies Precondition,
        ]
      : []),
  ]
}

/** Throws for an unknown organisation. Members get the same error as for an organisation to which they do not belong. */
export function refuseUnknownOrganization(by: ActingParty, id: string): never {
  if (by.kind === 'member') refuseWith('organization.not_member')
  refuseWith('entity.not_exists_with_id', { id })
}
