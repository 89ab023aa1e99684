import { refuseWith } from '../../contract/refused.ts'
import { isInternalRole } from '../../domain/access/administration.ts'
import { describeChanges } from '../../domain/audit-changes.ts'
import { existingMembersQuery, insertLinks } from '../../storage/access/role-links.ts'
import {
  getRole,
  insertRole,
  type NewRole,
  ROLE_NAME_CONSTRAINT,
  type RoleChanges,
  type RoleRow,
  removeRole,
  roleExists,
  updateRole,
} from '../../storage/access/role-list.ts'
import { commitChange } from '../../storage/commit.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import type { Guarded } from '../../storage/preconditions.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { refuseDuplicateId } from '../duplicate-id.ts'

type Store = Pick<Dependencies, 'db'>
type RoleCreation = { tenantId: string; audit: AuditEntry; role: NewRole; scopeIds: readonly string[] }
type RoleChange = Guarded & { tenantId: string; id: string; beginAudit(): AuditEntry }

export async function createRole(
  { db }: Store,
  { tenantId, audit, role, scopeIds }: RoleCreation,
): Promise<RoleRow> {
  if (isInternalRole(role.name)) refuseWith('role.internal_role_violation')
  await refuseUnknownScopes(db, tenantId, scopeIds)

  const links = [...new Set(scopeIds)].map((memberId) => ({ roleId: role.id, memberId }))
  const { created } = await commitChange(db, {
    tenantId,
    audit: audit.success(),
    statements: {
      created: insertRole(db, tenantId, role),
      links: links.length > 0 ? insertLinks(db, tenantId, 'scope', links) : undefined,
    },
  })
    .catch(refuseDuplicateId('roles', role.id))
    .catch(refuseTakenName(role.name))
  return created[0] ?? refuseWith('entity.create_failed')
}

export async function changeRole(
  { db }: Store,
  { tenantId, id, changes, preconditions, beginAudit }: RoleChange & { changes: RoleChanges },
): Promise<RoleRow> {
  const stored = await findRoleById({ db }, tenantId, id)
  if (Object.keys(changes).length === 0) return stored

  const audit = beginAudit()
  if (isInternalRole(changes.name ?? '')) refuseWith('role.internal_role_violation')
  const { secondFactorPolicy, rememberDays, ...others } = changes
  if (isInternalRole(stored.name) && Object.keys(others).length > 0) refuseWith('entity.not_exists', { id })
  const { changed } = await commitChange(db, {
    tenantId,
    condition: roleExists(tenantId, id),
    preconditions,
    audit: audit.success(describeChanges(stored, { ...stored, ...changes })),
    statements: { changed: updateRole(db, tenantId, id, changes) },
  }).catch(refuseTakenName(changes.name))
  return changed[0] ?? refuseWith('entity.not_exists_with_id', { id })
}

export async function deleteRole(
  { db }: Store,
  { tenantId, id, preconditions, beginAudit }: RoleChange,
): Promise<void> {
  const stored = await getRole(db, tenantId, id)
  // Internal roles cannot be deleted. They are reported as missing (spec/management#internal-roles).
  if (!stored || isInternalRole(stored.name)) refuseWith('entity.not_found')
  const { deleted } = await commitChange(db, {
    tenantId,
    condition: roleExists(tenantId, id),
    preconditions,
    audit: beginAudit().success(),
    statements: { deleted: removeRole(db, tenantId, id) },
  })
  if (deleted.length === 0) refuseWith('entity.not_found')
}

export const findRoleById = async ({ db }: Store, tenantId: string, id: string): Promise<RoleRow> =>
  (await getRole(db, tenantId, id)) ?? refuseWith('entity.not_exists_with_id', { id })

async function refuseUnknownScopes(
  db: Store['db'],
  tenantId: string,
  scopeIds: readonly string[],
): Promise<void> {
  if (scopeIds.length === 0) return
  const existing = new Set((await existingMembersQuery(db, tenantId, 'scope', scopeIds)).map(({ id }) => id))
  const unknown = scopeIds.find((id) => !existing.has(id))
  if (unknown !== undefined) refuseWith('entity.not_exists_with_id', { id: unknown })
}

const refuseTakenName =
  (name: string | undefined) =>
  (error: unknown): never => {
    if (isUniqueViolation(error) === ROLE_NAME_CONSTRAINT) refuseWith('role.name_in_use', { name })
    throw error
  }
