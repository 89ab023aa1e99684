import { orRefuse, refuseWith } from '../../contract/refused.ts'
import {
  ensureLinks,
  existingLinksQuery,
  existingMembersQuery,
  hasLink,
  insertLinks,
  type LinkKind,
  type RoleLink,
  removeLink,
} from '../../storage/access/role-links.ts'
import { isRole, roleQuery } from '../../storage/access/role-list.ts'
import { scopesOfRoleQuery } from '../../storage/access/role-members.ts'
import {
  givenByAddition,
  replaceCredentials,
  sealReplaced,
} from '../../storage/applications/replaced-credentials.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'
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
 * Links users, applications or scopes with a role (spec/management#roles). Applications that get scopes of our own APIs by it
 * lose their credentials. Answers the scopes of the role, read in the same batch, when scopes were added.
 */
export async function addRoleMembers(
  { db, seals, applications }: Pick<Dependencies, 'db' | 'seals' | 'applications'>,
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
  orRefuse(additionProblem(kind, added, { role: role[0], members, links }))

  const given = givenByAddition(kind, roleId, memberIds)
  const { replaced, scopes } = await commitChange(db, {
    tenantId,
    condition: isRole(tenantId, roleId),
    audit: audit.success(),
    statements: {
      replaced: given && replaceCredentials(db, tenantId, given),
      links: (isOnceOnly ? insertLinks : ensureLinks)(db, tenantId, kind, added),
      scopes: kind === 'scope' ? scopesOfRoleQuery(db, tenantId, roleId) : undefined,
    },
  }).catch(refuseTakenLink(kind))
  for (const { id } of replaced) applications.forget(JSON.stringify([tenantId, id]))
  await sealReplaced({ db, seals }, replaced)
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
