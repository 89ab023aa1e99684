import { refuseWith } from '../../contract/refused.ts'
import {
  existingLinksQuery,
  existingMembersQuery,
  hasNoNewerRoleChange,
  insertLinks,
  insertMissingLinks,
  type RoleLink,
  removeOtherRoles,
  roleIdsOfUserQuery,
} from '../../storage/access/role-links.ts'
import { existingRolesQuery } from '../../storage/access/role-list.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import { allOf } from '../../storage/conditions.ts'
import type { Guarded } from '../../storage/preconditions.ts'
import { userExists } from '../../storage/users/users.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  dispatchHooks,
  type HookDispatch,
  rolesAddedEvents,
  rolesReplacedEvents,
} from '../hooks/user-events.ts'
import { describeRoles, idsOf, refuseTakenLink } from './role-links.ts'

/** Changes the roles of one user (spec/management#roles). `role-links.ts` changes the members of one role. */

type Sender = Pick<Dependencies, 'db' | 'deliveries' | 'now'>

type RoleAssignment = {
  tenantId: string
  userId: string
  roleIds: readonly string[]
  audit: AuditEntry
  hooks: HookDispatch
}

export async function addUserRoles(
  dependencies: Sender,
  { tenantId, userId, roleIds, audit, hooks }: RoleAssignment,
): Promise<void> {
  const { db, now } = dependencies
  const links = linksOf(userId, roleIds)
  const { links: taken, before } = await readRoleFacts(db, tenantId, userId, links)
  const [existing] = taken
  if (existing) refuseWith('user.role_exists', { roleId: existing.roleId })

  const { outboxIds } = await commitChange(db, {
    tenantId,
    condition: userExists(tenantId, userId),
    audit: audit.success(describeRoles(before, [...before, ...roleIds])),
    statements: { links: insertLinks(db, tenantId, 'user', links) },
    outbox: rolesAddedEvents({ tenantId, userId, roleIds, actor: hooks.actor, now: now() }),
  }).catch(refuseTakenLink('user', 'user.role_exists'))
  dispatchHooks(dependencies, { tenantId, outboxIds }, hooks)
}

/** Replaces all roles of a user, including internal ones. */
export async function replaceUserRoles(
  dependencies: Sender,
  { tenantId, userId, roleIds, audit, hooks, preconditions }: RoleAssignment & Guarded,
): Promise<void> {
  const { db, now } = dependencies
  const links = linksOf(userId, roleIds)
  const { before } = await readRoleFacts(db, tenantId, userId, links)

  const entry = audit.success(describeRoles(before, roleIds))
  const condition = hasNoNewerRoleChange(tenantId, userId, entry.createdAt)
  const { outboxIds } = await commitChange(db, {
    tenantId,
    condition: allOf(userExists(tenantId, userId), condition),
    preconditions,
    audit: entry,
    statements: {
      removed: removeOtherRoles(db, tenantId, userId, roleIds, condition),
      links: insertMissingLinks(db, tenantId, 'user', links, condition),
    },
    outbox: rolesReplacedEvents({ tenantId, userId, roleIds, actor: hooks.actor, now: now() }),
  })
  dispatchHooks(dependencies, { tenantId, outboxIds }, hooks)
}

const linksOf = (memberId: string, roleIds: readonly string[]): RoleLink[] =>
  [...new Set(roleIds)].map((roleId) => ({ roleId, memberId }))

/**
 * Throws if the user or one of the roles does not exist. Returns the requested links that already exist, and the ids of
 * the roles that the user has.
 */
async function readRoleFacts(
  db: Dependencies['db'],
  tenantId: string,
  userId: string,
  requested: readonly RoleLink[],
): Promise<{ links: readonly RoleLink[]; before: readonly string[] }> {
  const roleIds = requested.map(({ roleId }) => roleId)
  const { users, roles, links, before } = await readTogether(db, {
    users: existingMembersQuery(db, tenantId, 'user', [userId]),
    roles: existingRolesQuery(db, tenantId, roleIds),
    links: existingLinksQuery(db, tenantId, 'user', requested),
    before: roleIdsOfUserQuery(db, tenantId, userId),
  })
  if (users.length === 0) refuseWith('entity.not_found')
  const unknown = roleIds.find((roleId) => !roles.some(({ id }) => id === roleId))
  if (unknown !== undefined) refuseWith('entity.not_exists_with_id', { id: unknown })
  return { links, before: idsOf(before) }
}
