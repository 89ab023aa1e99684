import { givenSources, OWNER_ROLE } from '../../contract/organisations/organizations.ts'
import { refuseWith } from '../../contract/refused.ts'
import { existingMembersQuery } from '../../storage/access/role-links.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import {
  extendedMembersJson,
  type MemberChanges,
  newMembersJson,
  removedMembersJson,
  replacedRolesJson,
} from '../../storage/hooks/organization-events.ts'
import {
  memberPowersQuery,
  replacedRoles,
  rolePowersQuery,
  rolesOfMember,
  toRolePowers,
} from '../../storage/organisations/authority.ts'
import { endMembershipAuthorizations } from '../../storage/organisations/membership-authorizations.ts'
import {
  isMember,
  joinStatements,
  keepsAnOwner,
  MANUAL,
  type MemberKey,
  memberRolesQuery,
  removeMember,
  removeOtherGivenRoles,
} from '../../storage/organisations/memberships.ts'
import {
  ensureOwnerRole,
  organizationExists,
  organizationQuery,
} from '../../storage/organisations/organizations.ts'
import type { Precondition } from '../../storage/preconditions.ts'
import { describeRoles } from '../access/role-links.ts'
import { recordRefusals } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { dispatchHooks, type HookDispatch } from '../hooks/user-events.ts'
import { actingRolesQuery, authorize, refuseUnknownOrganization } from './acting-party.ts'
import type { OrganizationChange } from './organizations.ts'

/**
 * Adds and removes members of organisations, and changes the roles that were given by hand
 * (spec/organisations#memberships).
 */

type Sender = Pick<Dependencies, 'db' | 'deliveries' | 'now'>

type Addition = Omit<OrganizationChange, 'by' | 'preconditions'> & {
  userIds: readonly string[]
  roleIds: readonly string[]
}

/**
 * Makes users members without asking them, so only operators and services do this. Users who are members already keep
 * their membership and get the roles besides their own.
 */
export async function addMembers(
  dependencies: Sender,
  { tenantId, organizationId, userIds, roleIds, audit, hooks }: Addition,
): Promise<void> {
  const { db, now } = dependencies
  const key = { tenantId, organizationId }
  const { organization, users, roles } = await readTogether(db, {
    organization: organizationQuery(db, key),
    users: existingMembersQuery(db, tenantId, 'user', userIds),
    roles: rolePowersQuery(db, tenantId, roleIds),
  })
  if (organization.length === 0) refuseUnknownOrganization({ kind: 'operator' }, organizationId)
  const unknownUser = firstMissing(userIds, users)
  if (unknownUser !== undefined) refuseWith('entity.not_found', { id: unknownUser })
  refuseUnknownRole(roleIds, roles)

  const condition = organizationExists(key)
  const members = { ...key, userIds }
  const { outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    statements: {
      ownerRole: roleIds.includes(OWNER_ROLE.id) ? ensureOwnerRole(db, tenantId) : undefined,
      ...joinStatements(db, { ...key, ...MANUAL, userIds, roleIds, now: now() }, condition),
    },
    outbox: {
      hooksBefore: [
        membersEvent(dependencies, organizationId, hooks, {
          added: newMembersJson(members, roleIds),
          updated: extendedMembersJson(members, roleIds),
        }),
      ],
    },
  })
  dispatchHooks(dependencies, { tenantId, outboxIds }, hooks)
}

type MemberChange = OrganizationChange & { userId: string }

/** Replaces the roles that a member was given by hand or with an invitation. Roles from other sources remain. */
export const replaceMemberRoles = recordRefusals(async function replaceMemberRoles(
  dependencies: Sender,
  {
    tenantId,
    organizationId,
    userId,
    roleIds,
    by,
    audit,
    hooks,
    preconditions = [],
  }: MemberChange & { roleIds: readonly string[] },
): Promise<void> {
  const { db, now } = dependencies
  const key = { tenantId, organizationId, userId }
  const { own, current, currentPowers, roles } = await readTogether(db, {
    own: actingRolesQuery(db, key, by),
    current: memberRolesQuery(db, key),
    currentPowers: memberPowersQuery(db, key),
    roles: rolePowersQuery(db, tenantId, roleIds),
  })
  const before = current.flatMap(({ roleId, source }) =>
    source && givenSources.includes(source) && roleId ? [roleId] : [],
  )
  const isChanged = ({ id }: { id: string }) => before.includes(id) !== roleIds.includes(id)
  const powers = [...toRolePowers(currentPowers), ...toRolePowers(roles)].filter(isChanged)
  const inBatch = replacedRoles(key, roleIds)
  const authority = authorize(key, { by, own }, { permission: 'members:manage', roles: { powers, inBatch } })
  if (current.length === 0) refuseWith('entity.not_found', { id: userId })
  refuseUnknownRole(roleIds, roles)

  const condition = isMember(key)
  const remaining = roleIds.includes(OWNER_ROLE.id) ? [] : [lastOwnerPrecondition(key, 'given')]
  const joining = { ...key, ...MANUAL, userIds: [userId], roleIds, now: now() }
  const { sources, roles: added } = joinStatements(db, joining, condition)
  const { outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    preconditions: [...preconditions, ...authority, ...remaining],
    audit: audit.success(describeRoles(before, roleIds)),
    statements: {
      ownerRole: roleIds.includes(OWNER_ROLE.id) ? ensureOwnerRole(db, tenantId) : undefined,
      removed: removeOtherGivenRoles(db, key, roleIds),
      // A role needs its source. Without roles, a member whom nobody added by hand gets no such source.
      sources: roleIds.length > 0 ? sources : undefined,
      added,
    },
    outbox: {
      hooksBefore: [
        membersEvent(dependencies, organizationId, hooks, {
          updated: replacedRolesJson({ ...key, userIds: [userId] }, roleIds),
        }),
      ],
    },
  })
  dispatchHooks(dependencies, { tenantId, outboxIds }, hooks)
})

/** The end of a membership. The origin of `url` is that of the issuer that applications know. */
type MemberRemoval = MemberChange & { url: string }

/**
 * Ends a membership with all its sources and roles. Grants of applications for the organisation end, and the
 * applications get logout tokens. A member needs authority over all roles of the other member.
 */
export const removeOrganizationMember = recordRefusals(async function removeOrganizationMember(
  dependencies: Sender,
  { by, preconditions = [], ...change }: MemberRemoval,
): Promise<void> {
  const { db } = dependencies
  const { tenantId, organizationId, userId } = change
  const key = { tenantId, organizationId, userId }
  const { own, target } = await readTogether(db, {
    own: actingRolesQuery(db, key, by),
    target: memberPowersQuery(db, key),
  })
  const roles = { powers: toRolePowers(target), inBatch: rolesOfMember(key) }
  const authority = authorize(key, { by, own }, { permission: 'members:manage', roles })
  if (target.length === 0) refuseWith('entity.not_found', { id: userId })
  await endMembership(dependencies, { ...change, preconditions: [...preconditions, ...authority] })
})

/** Ends the membership of a user who leaves. No permission is needed. */
export const leaveOrganization = recordRefusals(async function leaveOrganization(
  dependencies: Sender,
  change: Omit<MemberRemoval, 'by' | 'preconditions'>,
): Promise<void> {
  const isRemoved = await endMembership(dependencies, { ...change, preconditions: [] })
  if (!isRemoved) refuseWith('organization.not_member')
})

async function endMembership(
  dependencies: Sender,
  {
    tenantId,
    organizationId,
    userId,
    url,
    audit,
    hooks,
    preconditions,
  }: Omit<MemberRemoval, 'by'> & { preconditions: readonly Precondition[] },
): Promise<boolean> {
  const { db, now } = dependencies
  const key = { tenantId, organizationId, userId }
  const issuer = `${new URL(url).origin}/oidc`
  const ended = { tenantId, organizationId, userIds: [userId], issuer, now: now() }
  const { member, logouts, outboxIds } = await commitChange(db, {
    tenantId,
    condition: isMember(key),
    preconditions: [...preconditions, lastOwnerPrecondition(key, 'all')],
    audit: audit.success(),
    statements: {
      ...endMembershipAuthorizations(db, ended, isMember(key)),
      member: removeMember(db, key),
    },
    outbox: {
      hooksBefore: [
        membersEvent(dependencies, organizationId, hooks, {
          removed: removedMembersJson({ ...key, userIds: [userId] }),
        }),
      ],
    },
  })
  const logoutIds = logouts.map(({ id }) => id)
  dispatchHooks(dependencies, { tenantId, outboxIds: [...logoutIds, ...outboxIds] }, hooks)
  return member.length > 0
}

/** Returns the hook event about changed members of an organisation. */
export const membersEvent = (
  { now }: Pick<Dependencies, 'now'>,
  organizationId: string,
  { actor }: Pick<HookDispatch, 'actor'>,
  members: MemberChanges,
) => ({ event: 'Organization.Membership.Updated' as const, organizationId, actor, members, now: now() })

/** Returns the precondition that the organisation keeps an owner without these roles of the member. */
const lastOwnerPrecondition = (key: MemberKey, roles: 'all' | 'given'): Precondition => ({
  condition: keepsAnOwner(key, roles),
  code: 'organization.last_owner',
})

/** Throws if a role does not exist. The owner role exists everywhere, and is created where it is missing. */
export function refuseUnknownRole(roleIds: readonly string[], roles: readonly { id: string | null }[]): void {
  const unknown = firstMissing(roleIds, [...roles, OWNER_ROLE])
  if (unknown !== undefined) refuseWith('entity.not_exists_with_id', { id: unknown })
}

const firstMissing = (ids: readonly string[], rows: readonly { id: string | null }[]) =>
  ids.find((id) => !rows.some((row) => row.id === id))
