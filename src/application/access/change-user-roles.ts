import { refuseWith } from '../../contract/refused.ts'
import {
  ensureLinks,
  existingLinksQuery,
  existingMembersQuery,
  hasNoNewerRoles,
  insertLinks,
  type RoleLink,
  removeOtherRoles,
} from '../../storage/access/role-links.ts'
import { existingRolesQuery } from '../../storage/access/role-list.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import { allOf } from '../../storage/conditions.ts'
import { isUser } from '../../storage/users/users.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'
import { refuseTakenLink } from './role-link-refusal.ts'

type Store = Pick<Dependencies, 'db'>
type RoleAssignment = { tenantId: string; userId: string; roleIds: readonly string[]; audit: AuditEntry }

export async function addUserRoles(
  { db }: Store,
  { tenantId, userId, roleIds, audit }: RoleAssignment,
): Promise<void> {
  const links = linksOf(userId, roleIds)
  const [existing] = await refuseUnknown(db, tenantId, userId, links)
  if (existing) refuseWith('user.role_exists', { roleId: existing.roleId })

  await commitChange(db, {
    tenantId,
    condition: isUser(tenantId, userId),
    audit: audit.success(),
    statements: { links: insertLinks(db, tenantId, 'user', links) },
  }).catch(refuseTakenLink('user', 'user.role_exists'))
}

/** Exactly these roles, internal ones included. */
export async function replaceUserRoles(
  { db }: Store,
  { tenantId, userId, roleIds, audit }: RoleAssignment,
): Promise<void> {
  const links = linksOf(userId, roleIds)
  await refuseUnknown(db, tenantId, userId, links)

  const entry = audit.success()
  const condition = hasNoNewerRoles(tenantId, userId, entry.createdAt)
  await commitChange(db, {
    tenantId,
    condition: allOf(isUser(tenantId, userId), condition),
    audit: entry,
    statements: {
      removed: removeOtherRoles(db, tenantId, userId, roleIds, condition),
      links: ensureLinks(db, tenantId, 'user', links, condition),
    },
  })
}

const linksOf = (memberId: string, roleIds: readonly string[]): RoleLink[] =>
  [...new Set(roleIds)].map((roleId) => ({ roleId, memberId }))

/** Answers those of the links that exist. */
async function refuseUnknown(
  db: Store['db'],
  tenantId: string,
  userId: string,
  asked: readonly RoleLink[],
): Promise<readonly RoleLink[]> {
  const roleIds = asked.map(({ roleId }) => roleId)
  const { users, roles, links } = await readTogether(db, {
    users: existingMembersQuery(db, tenantId, 'user', [userId]),
    roles: existingRolesQuery(db, tenantId, roleIds),
    links: existingLinksQuery(db, tenantId, 'user', asked),
  })
  if (users.length === 0) refuseWith('entity.not_found')
  const unknown = roleIds.find((roleId) => !roles.some(({ id }) => id === roleId))
  if (unknown !== undefined) refuseWith('entity.not_exists_with_id', { id: unknown })
  return links
}
