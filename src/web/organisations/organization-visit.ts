import type { Role } from '../../../client/account/organisations/role-choice.tsx'
import type { OrganizationPermission } from '../../contract/organisations/organizations.ts'
import { refuseWith } from '../../contract/refused.ts'
import { hasPermission, mayAssignRole, type RolePowers } from '../../domain/organisations/authority.ts'
import type { RowsByName } from '../../storage/batches.ts'
import {
  type describedRolesQuery,
  memberPowersQuery,
  toRolePowers,
} from '../../storage/organisations/authority.ts'
import { type OrganizationRow, organizationQuery } from '../../storage/organisations/organizations.ts'
import type { OpenVisit } from '../account/visit.ts'

const PATH = /^\/account\/organizations\/([\w-]{1,21})(?=\/|$)/

/** The path of a page with the name of its parameter in place of the organisation's id, as the pages are keyed. */
export const toPagePattern = (pathname: string): string => pathname.replace(PATH, organizationPattern)

/** Returns the id of the organisation in the path of its pages. */
/** The path of the page of one organisation, with a parameter in place of its id. */
export const organizationPattern = '/account/organizations/:organizationId'

export const organizationIdIn = ({ pathname }: URL): string => PATH.exec(pathname)?.[1] ?? ''

export const organizationPath = (organizationId: string): string => `/account/organizations/${organizationId}`

/** Returns the queries for the organisation of a page and the roles of the user there. */
export function memberQueries({ dependencies: { db }, tenantId, url }: OpenVisit, userId: string) {
  const key = { tenantId, organizationId: organizationIdIn(url), userId }
  return { organization: organizationQuery(db, key), powers: memberPowersQuery(db, key) }
}

/**
 * Returns the roles of the template as forms offer them. Members may give and take only roles whose powers they have.
 */
export const toRoleOptions = (
  rows: RowsByName<{ roles: ReturnType<typeof describedRolesQuery> }>['roles'],
  own: readonly RolePowers[],
): Role[] =>
  rows.map(({ name, description, ...row }) => {
    const [role] = toRolePowers([row])
    return { id: row.id, name, description, mayAssign: role !== undefined && mayAssignRole(own, role) }
  })

/**
 * Returns the organisation of a page and the roles of the user there. To users who are no members, the pages of an
 * organisation do not exist.
 */
export function requireMember(
  rows: RowsByName<ReturnType<typeof memberQueries>>,
  permission?: OrganizationPermission,
): { organization: OrganizationRow; own: readonly RolePowers[] } {
  const [organization] = rows.organization
  if (!organization || rows.powers.length === 0) return refuseWith('entity.not_found')
  const own = toRolePowers(rows.powers)
  if (permission && !hasPermission(own, permission)) refuseWith('organization.permission_missing')
  return { organization, own }
}
