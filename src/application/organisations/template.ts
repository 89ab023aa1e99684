import { OWNER_ROLE } from '../../contract/organisations/organizations.ts'
import { refuseWith } from '../../contract/refused.ts'
import { describeChanges } from '../../domain/audit-changes.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import {
  hasScopeLink,
  linkableScopesQuery,
  linkScopes,
  type RoleScopeKind,
  unlinkScope,
} from '../../storage/organisations/role-scopes.ts'
import {
  insertOrganizationRole,
  insertOrganizationScope,
  type NewOrganizationRole,
  type NewOrganizationScope,
  type OrganizationRoleChanges,
  type OrganizationRoleRow,
  type OrganizationScopeChanges,
  type OrganizationScopeRow,
  organizationRoleQuery,
  organizationScopeQuery,
  removeFromTemplate,
  TEMPLATE_NAME_CONSTRAINTS,
  type TemplateKind,
  templateExists,
  updateOrganizationRole,
  updateOrganizationScope,
} from '../../storage/organisations/template.ts'
import type { Guarded } from '../../storage/preconditions.ts'
import { type AuditEntry, recordRefusals } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { refuseDuplicateId } from '../duplicate-id.ts'

/**
 * Changes the template of roles and scopes that all organisations of a tenant share (spec/organisations#template). The
 * name and the permissions of the owner role stay as they are.
 */

type Store = Pick<Dependencies, 'db'>
type Change = Guarded & { tenantId: string; id: string; audit: AuditEntry }

export const createOrganizationRole = recordRefusals(async function createOrganizationRole(
  { db }: Store,
  { tenantId, role, audit }: Pick<Change, 'tenantId' | 'audit'> & { role: NewOrganizationRole },
): Promise<OrganizationRoleRow> {
  refuseOwnersName(role.name)
  const { created } = await commitChange(db, {
    tenantId,
    audit: audit.success(),
    statements: { created: insertOrganizationRole(db, tenantId, role) },
  })
    .catch(refuseDuplicateId('organization_roles', role.id))
    .catch(refuseTakenName('role', role.name))
  return created[0] ?? refuseWith('entity.create_failed')
})

export const changeOrganizationRole = recordRefusals(async function changeOrganizationRole(
  { db }: Store,
  { tenantId, id, changes, audit, preconditions }: Change & { changes: OrganizationRoleChanges },
): Promise<OrganizationRoleRow> {
  const stored = await findOrganizationRole({ db }, tenantId, id)
  if (Object.keys(changes).length === 0) return stored
  refuseOwnerRole(id)
  refuseOwnersName(changes.name)
  const { changed } = await commitChange(db, {
    tenantId,
    condition: templateExists('role', tenantId, id),
    preconditions,
    audit: audit.success(describeChanges(stored, { ...stored, ...changes })),
    statements: { changed: updateOrganizationRole(db, tenantId, id, changes) },
  }).catch(refuseTakenName('role', changes.name))
  return changed[0] ?? refuseWith('entity.not_exists_with_id', { id })
})

export const createOrganizationScope = recordRefusals(async function createOrganizationScope(
  { db }: Store,
  { tenantId, scope, audit }: Pick<Change, 'tenantId' | 'audit'> & { scope: NewOrganizationScope },
): Promise<OrganizationScopeRow> {
  const { created } = await commitChange(db, {
    tenantId,
    audit: audit.success(),
    statements: { created: insertOrganizationScope(db, tenantId, scope) },
  })
    .catch(refuseDuplicateId('organization_scopes', scope.id))
    .catch(refuseTakenName('scope', scope.name))
  return created[0] ?? refuseWith('entity.create_failed')
})

export const changeOrganizationScope = recordRefusals(async function changeOrganizationScope(
  { db }: Store,
  { tenantId, id, changes, audit, preconditions }: Change & { changes: OrganizationScopeChanges },
): Promise<OrganizationScopeRow> {
  const stored = await findOrganizationScope({ db }, tenantId, id)
  if (Object.keys(changes).length === 0) return stored
  const { changed } = await commitChange(db, {
    tenantId,
    condition: templateExists('scope', tenantId, id),
    preconditions,
    audit: audit.success(describeChanges(stored, { ...stored, ...changes })),
    statements: { changed: updateOrganizationScope(db, tenantId, id, changes) },
  }).catch(refuseTakenName('scope', changes.name))
  return changed[0] ?? refuseWith('entity.not_exists_with_id', { id })
})

/** Deletes a role, which all members and applications lose, or a scope, which all roles lose. */
export const deleteFromTemplate = recordRefusals(async function deleteFromTemplate(
  { db }: Store,
  { kind, tenantId, id, audit, preconditions }: Change & { kind: TemplateKind },
): Promise<void> {
  if (kind === 'role') refuseOwnerRole(id)
  const { deleted } = await commitChange(db, {
    tenantId,
    condition: templateExists(kind, tenantId, id),
    preconditions,
    audit: audit.success(),
    statements: { deleted: removeFromTemplate(db, kind, tenantId, id) },
  })
  if (deleted.length === 0) refuseWith('entity.not_found')
})

type ScopeChange = Omit<Change, 'id' | 'preconditions'> & { kind: RoleScopeKind; roleId: string }

/** Adds scopes to a role. Scopes of built-in resources would give members of an organisation power over the tenant. */
export async function addScopesToOrganizationRole(
  { db }: Store,
  { kind, tenantId, roleId, scopeIds, audit }: ScopeChange & { scopeIds: readonly string[] },
): Promise<void> {
  const key = { kind, tenantId, roleId }
  const { role, linkable } = await readTogether(db, {
    role: organizationRoleQuery(db, tenantId, roleId),
    linkable: linkableScopesQuery(db, key, scopeIds),
  })
  if (!role[0]) refuseWith('entity.not_exists_with_id', { id: roleId })
  const unknown = scopeIds.find((id) => !linkable.some((scope) => scope.id === id))
  if (unknown !== undefined) refuseWith('entity.not_exists_with_id', { id: unknown })
  if (linkable.some(({ isBuiltIn }) => isBuiltIn)) refuseWith('resource.internal_resource_violation')
  await commitChange(db, {
    tenantId,
    condition: templateExists('role', tenantId, roleId),
    audit: audit.success(),
    statements: { added: linkScopes(db, key, scopeIds) },
  })
}

export const removeScopeFromOrganizationRole = recordRefusals(async function removeScopeFromOrganizationRole(
  { db }: Store,
  { kind, tenantId, roleId, scopeId, audit }: ScopeChange & { scopeId: string },
): Promise<void> {
  const key = { kind, tenantId, roleId }
  const { removed } = await commitChange(db, {
    tenantId,
    condition: hasScopeLink(key, scopeId),
    audit: audit.success(),
    statements: { removed: unlinkScope(db, key, scopeId) },
  })
  if (removed.length === 0) refuseWith('entity.not_found')
})

export async function findOrganizationRole({ db }: Store, tenantId: string, id: string) {
  const [role] = await organizationRoleQuery(db, tenantId, id)
  return role ?? refuseWith('entity.not_exists_with_id', { id })
}

export async function findOrganizationScope({ db }: Store, tenantId: string, id: string) {
  const [scope] = await organizationScopeQuery(db, tenantId, id)
  return scope ?? refuseWith('entity.not_exists_with_id', { id })
}

function refuseOwnerRole(id: string): void {
  if (id === OWNER_ROLE.id) refuseWith('role.internal_role_violation')
}

/** Rejects names that people would take for the owner role. */
function refuseOwnersName(name: string | undefined): void {
  if (name?.toLowerCase() === OWNER_ROLE.name) refuseWith('role.name_in_use', { name })
}

const takenNames = { role: 'role.name_in_use', scope: 'organization.scope_name_in_use' } as const

const refuseTakenName =
  (kind: TemplateKind, name: string | undefined) =>
  (error: unknown): never => {
    if (isUniqueViolation(error) === TEMPLATE_NAME_CONSTRAINTS[kind]) refuseWith(takenNames[kind], { name })
    throw error
  }
