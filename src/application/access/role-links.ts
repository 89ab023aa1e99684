import { type ErrorCode, type Refusal, refuse } from '../../contract/errors.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { isInternalRole } from '../../domain/access/administration.ts'
import { describeChanges } from '../../domain/audit-changes.ts'
import {
  existingLinksQuery,
  existingMembersQuery,
  hasLink,
  insertLinks,
  insertMissingLinks,
  LINK_CONSTRAINTS,
  type LinkKind,
  type RoleLink,
  removeLink,
  roleIdsOfUserQuery,
} from '../../storage/access/role-links.ts'
import { roleExists, roleQuery } from '../../storage/access/role-list.ts'
import { scopesOfRoleQuery } from '../../storage/access/role-members.ts'
import {
  replaceCredentials,
  scopesOfNewMembers,
  sealReplacedSecrets,
} from '../../storage/applications/replaced-credentials.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import { hasAuditEntry } from '../../storage/logs.ts'
import type { Guarded } from '../../storage/preconditions.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { dispatchHooks, type HookDispatch, membersChangedEvents } from '../hooks/user-events.ts'

type Sender = Pick<Dependencies, 'db' | 'deliveries' | 'now'>

type MemberAddition = {
  tenantId: string
  kind: LinkKind
  roleId: string
  memberIds: readonly string[]
  audit: AuditEntry
  hooks: HookDispatch
}

/**
 * Links users, applications or scopes to a role (spec/management#roles). If applications thereby gain scopes of our own
 * APIs, their credentials are replaced. When scopes are added, returns all scopes of the role as read in the same
 * batch.
 */
export async function addRoleMembers(
  dependencies: Sender & Pick<Dependencies, 'seals' | 'applications'>,
  { tenantId, kind, roleId, memberIds, audit, hooks }: MemberAddition,
) {
  const { db, seals, applications } = dependencies
  const added = [...new Set(memberIds)].map((memberId) => ({ roleId, memberId }))
  const isOnceOnly = takenCodes[kind] !== null
  // An entry about several users does not list the roles of each. All of them lacked this role.
  const onlyUserId = kind === 'user' && added.length === 1 ? added[0]?.memberId : undefined
  const { role, members, links, before } = await readTogether(db, {
    before: onlyUserId === undefined ? undefined : roleIdsOfUserQuery(db, tenantId, onlyUserId),
    role: roleQuery(db, tenantId, roleId),
    members: existingMembersQuery(db, tenantId, kind, memberIds),
    links: isOnceOnly ? existingLinksQuery(db, tenantId, kind, added) : undefined,
  })
  if (!role[0]) refuseWith('entity.not_exists_with_id', { id: roleId })
  throwIfRefused(additionProblem(kind, added, { role: role[0], members, links }))

  const addedScopes = scopesOfNewMembers(kind, roleId, memberIds)
  const { replaced, scopes, outboxIds } = await commitChange(db, {
    tenantId,
    condition: roleExists(tenantId, roleId),
    audit: audit.success(
      onlyUserId === undefined ? {} : describeRoles(idsOf(before), [...idsOf(before), roleId]),
    ),
    statements: {
      replaced: addedScopes && replaceCredentials(db, tenantId, addedScopes),
      links: (isOnceOnly ? insertLinks : insertMissingLinks)(db, tenantId, kind, added),
      scopes: kind === 'scope' ? scopesOfRoleQuery(db, tenantId, roleId) : undefined,
    },
    outbox: membersChangedEvents(dependencies, kind, memberIds, hooks),
  }).catch(refuseTakenLink(kind))
  dispatchHooks(dependencies, { tenantId, outboxIds }, hooks)
  for (const { id } of replaced) applications.forget(JSON.stringify([tenantId, id]))
  await sealReplacedSecrets({ db, seals }, replaced)
  return scopes
}

type LinkRemoval = Guarded & {
  tenantId: string
  kind: LinkKind
  link: RoleLink
  audit: AuditEntry
  hooks: HookDispatch
}

export async function removeRoleMember(
  dependencies: Sender,
  { tenantId, kind, link, audit, hooks, preconditions }: LinkRemoval,
): Promise<void> {
  const { db } = dependencies
  const before = kind === 'user' ? idsOf(await roleIdsOfUserQuery(db, tenantId, link.memberId)) : []
  const after = before.filter((id) => id !== link.roleId)
  const entry = audit.success(describeRoles(before, after))
  const { removed, outboxIds } = await commitChange(db, {
    tenantId,
    condition: hasLink(tenantId, kind, link),
    preconditions,
    audit: entry,
    statements: { removed: removeLink(db, tenantId, kind, link) },
    outbox: {
      ...membersChangedEvents(dependencies, kind, [link.memberId], hooks),
      hooksIf: hasAuditEntry(tenantId, entry.id),
    },
  })
  dispatchHooks(dependencies, { tenantId, outboxIds }, hooks)
  if (removed.length === 0) refuseWith('entity.not_found')
}

export const idsOf = (rows: readonly { roleId: string }[]) => rows.map(({ roleId }) => roleId)

export const describeRoles = (before: readonly string[], after: readonly string[]) =>
  describeChanges({ roleIds: before }, { roleIds: after.toSorted() })

/** Reads a role and one of its lists concurrently. Throws if the role does not exist. */
export async function listForRole<T>(
  { db }: Pick<Dependencies, 'db'>,
  { tenantId, roleId }: { tenantId: string; roleId: string },
  list: Promise<T>,
): Promise<T> {
  const [[role], result] = await Promise.all([roleQuery(db, tenantId, roleId), list])
  return role ? result : refuseWith('entity.not_exists_with_id', { id: roleId })
}

/** The errors for links that already exist. Assigning a role to an application that already has it is not an error. */
const takenCodes = {
  user: 'role.user_exists',
  scope: 'role.scope_exists',
  application: null,
} as const satisfies Record<LinkKind, ErrorCode | null>

type LinkFacts = {
  role: { name: string }
  /** The requested members that exist. */
  members: readonly { id: string }[]
  /** The requested links that already exist. */
  links: readonly RoleLink[]
}

function additionProblem(
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

/**
 * Turns a violated unique constraint into the error for an existing link. The earlier check cannot see a concurrent
 * call that adds the same link (spec/storage#uniqueness).
 */
export const refuseTakenLink =
  (kind: LinkKind, code: ErrorCode | null = takenCodes[kind]) =>
  (error: unknown): never => {
    if (code && isUniqueViolation(error) === LINK_CONSTRAINTS[kind]) refuseWith(code)
    throw error
  }

/**
 * Rejects changes to internal roles. Otherwise a tenant's administrators could lose the scope that makes them
 * administrators.
 */
export async function refuseInternalRole(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
  roleId: string,
): Promise<void> {
  const [role] = await roleQuery(db, tenantId, roleId)
  if (role && isInternalRole(role.name)) refuseWith('role.internal_role_violation')
}
