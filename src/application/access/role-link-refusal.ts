import { type ErrorCode, type Refusal, refuse } from '../../contract/errors.ts'
import { refuseWith } from '../../contract/refused.ts'
import { isInternalRole } from '../../domain/access/role-rules.ts'
import { LINK_TAKEN, type LinkKind, type RoleLink } from '../../storage/access/role-links.ts'
import { roleQuery } from '../../storage/access/role-list.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import type { Dependencies } from '../dependencies.ts'

/** What is added once only. An application that has the role already keeps it without a refusal. */
export const takenCodes = {
  user: 'role.user_exists',
  scope: 'role.scope_exists',
  application: null,
} as const satisfies Record<LinkKind, ErrorCode | null>

type LinkFacts = {
  role: { name: string }
  /** Those of the members that exist. */
  members: readonly { id: string }[]
  /** Those of the links that exist. */
  links: readonly RoleLink[]
}

export function additionProblem(
  kind: LinkKind,
  added: readonly RoleLink[],
  { role, members, links }: LinkFacts,
): Refusal | null {
  if (kind === 'scope' && isInternalRole(role.name)) return refuse('role.internal_role_violation')
  const [existing] = links
  const code = takenCodes[kind]
  if (existing && code) return refuse(code, { [`${kind}Id`]: existing.memberId, roleId: existing.roleId })
  const missing = added.find(({ memberId }) => !members.some(({ id }) => id === memberId))
  if (!missing) return null
  return refuse(kind === 'user' ? 'entity.not_found' : 'entity.not_exists_with_id', { id: missing.memberId })
}

/** Two calls that add the same link at the same time: the second gets the refusal of the check (spec/storage#uniqueness). */
export const refuseTakenLink =
  (kind: LinkKind, code: ErrorCode | null = takenCodes[kind]) =>
  (error: unknown): never => {
    if (code && isUniqueViolation(error) === LINK_TAKEN[kind]) refuseWith(code)
    throw error
  }

/** The administrators of a tenant must keep the scope that makes them administrators. */
export async function refuseInternalRole(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
  roleId: string,
): Promise<void> {
  const [role] = await roleQuery(db, tenantId, roleId)
  if (role && isInternalRole(role.name)) refuseWith('role.internal_role_violation')
}
