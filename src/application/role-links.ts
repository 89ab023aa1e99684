import { orRefuse, refuseWith } from '../contract/refused.ts'
import { isInternalRole } from '../domain/role-rules.ts'
import { readTogether } from '../storage/batches.ts'
import { commitChange } from '../storage/commit.ts'
import {
  ensureLinks,
  existingLinksQuery,
  existingMembersQuery,
  hasLink,
  insertLinks,
  type LinkKind,
  type RoleLink,
  removeLink,
} from '../storage/role-links.ts'
import { isRole, roleQuery } from '../storage/role-list.ts'
import { scopesOfRoleQuery } from '../storage/role-members.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { Dependencies } from './dependencies.ts'
import { additionProblem, refuseTakenLink, takenCodes } from './role-link-refusal.ts'

type Store = Pick<Dependencies, 'db'>

type MemberAddition = {
  tenantId: string
  kind: LinkKind
  roleId: string
  memberIds: readonly string[]
  audit: AuditEntry
}

/**
 * Links users, applications or scopes with a role (spec/management#roles). Answers the scopes of the role, read in the same
 * batch, when scopes were added.
 */
export async function addRoleMembers(
  { db }: Store,
  { tenantId, kind, roleId, memberIds, audit }: MemberAddition,
) {
  const added = [...new Set(memberIds)].map((memberId) => ({ roleId, memberId }))
  const isOnceOnly = takenCodes[kind] !== null
  const { role, members, links } = await readTogether(db, {
    role: roleQuery(db, tenantId, roleId),
    members: existingMembersQuery(db, tenantId, kind, memberIds),
    links: isOnceOnly ? existingLinksQuery(db, tenantId, kind, added) : undefined,
  })
  if (!role[0]) refuseWith('entity.not_exists_with_id', { id: roleId })
  if (kind === 'scope' && isInternalRole(role[0].name)) refuseWith('role.internal_role_violation')
  orRefuse(additionProblem(kind, added, { members, links }))

  const { scopes } = await commitChange(db, {
    tenantId,
    condition: isRole(tenantId, roleId),
    audit: audit.success(),
    statements: {
      links: (isOnceOnly ? insertLinks : ensureLinks)(db, tenantId, kind, added),
      scopes: kind === 'scope' ? scopesOfRoleQuery(db, tenantId, roleId) : undefined,
    },
  }).catch(refuseTakenLink(kind))
  return scopes
}

type LinkRemoval = { tenantId: string; kind: LinkKind; link: RoleLink; audit: AuditEntry }

export async function removeRoleMember(
  { db }: Store,
  { tenantId, kind, link, audit }: LinkRemoval,
): Promise<void> {
  const { removed } = await commitChange(db, {
    tenantId,
    condition: hasLink(tenantId, kind, link),
    audit: audit.success(),
    statements: { removed: removeLink(db, tenantId, kind, link) },
  })
  if (removed.length === 0) refuseWith('entity.not_found')
}

/** The administrators of a tenant must keep the scope that makes them administrators. */
export async function refuseInternalRole({ db }: Store, tenantId: string, roleId: string): Promise<void> {
  const [role] = await roleQuery(db, tenantId, roleId)
  if (role && isInternalRole(role.name)) refuseWith('role.internal_role_violation')
}
