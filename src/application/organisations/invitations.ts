import type { OrganizationInvitationCreation } from '../../contract/organisations/invitations.schema.ts'
import { OWNER_ROLE } from '../../contract/organisations/organizations.ts'
import { refuseWith } from '../../contract/refused.ts'
import { SECOND } from '../../contract/time.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import { allOf } from '../../storage/conditions.ts'
import { randomId } from '../../storage/ids.ts'
import {
  roleIdList,
  rolePowersQuery,
  rolesExist,
  toRolePowers,
} from '../../storage/organisations/authority.ts'
import {
  inviteeQuery,
  inviterNameQuery,
  isNotMemberAddress,
  type OrganizationInvitationKey,
  organizationInvitationIsOpen,
  organizationInvitationQuery,
  replaceInvitation,
  updateOpenOrganizationInvitation,
} from '../../storage/organisations/invitations.ts'
import {
  ensureOwnerRole,
  type OrganizationKey,
  organizationExists,
  organizationQuery,
} from '../../storage/organisations/organizations.ts'
import { digestInvitationToken } from '../access/invitation-links.ts'
import type { Principal } from '../access/management-token.ts'
import { type InvitationSending, sendInvitationLink } from '../access/send-invitation.ts'
import type { AuditEntry } from '../audit.ts'
import type { MessageRequest } from '../connectors/send.ts'
import type { Dependencies } from '../dependencies.ts'
import { type ActingParty, actingRolesQuery, authorize, refuseUnknownOrganization } from './acting-party.ts'
import { refuseUnknownRole } from './members.ts'

/** Inviting people to an organisation (spec/organisations#invitations). */

/** The acting party, whose id the invitation records. The acceptance checks whether it could still invite. */
export type Inviter = ActingParty & ({ kind: 'operator'; principal: Principal } | { kind: 'member' })

type Change = { by: Inviter; audit: AuditEntry }

/**
 * Sends somebody a link with which they become a member with these roles. It replaces an open invitation of the same
 * address. The message is in the language that the inviter chose, or else in that of the account with the address.
 */
export async function inviteToOrganization(
  dependencies: InvitationSending,
  key: OrganizationKey,
  {
    by,
    audit,
    message,
    invitation,
  }: Change & { message: MessageRequest; invitation: OrganizationInvitationCreation },
): Promise<{ id: string }> {
  const { db, now } = dependencies
  const { language = null, lifetimeSeconds } = invitation
  const [id, email, roleIds] = [randomId(), invitation.email.toLowerCase(), [...new Set(invitation.roleIds)]]
  audit.add({ invitationId: id, roleIds })
  const facts = await authorizeInvitation(dependencies, key, by, { email, roleIds })
  if (facts.isMember) refuseWith('organization.already_member')
  const createdAt = now()
  const expiresAt = createdAt + lifetimeSeconds * SECOND
  const recipient = { email, language: language ?? facts.locale, expiresAt }
  const digest = await sendLink(dependencies, { key, by, message, audit, recipient, facts })
  const { tenantId } = key
  // The batch creates the owner role where it is missing.
  const others = roleIdList(roleIds.filter((roleId) => roleId !== OWNER_ROLE.id))
  const condition = allOf(
    organizationExists(key),
    rolesExist(tenantId, others),
    isNotMemberAddress(key, email),
  )
  const row = { id, email, roleIds, language, digest, ...inviterColumns(by), createdAt, expiresAt }
  const { created } = await commitChange(db, {
    tenantId,
    condition,
    preconditions: facts.authority,
    audit: audit.success(),
    statements: {
      ownerRole: roleIds.includes(OWNER_ROLE.id) ? ensureOwnerRole(db, tenantId) : undefined,
      ...replaceInvitation(db, key, row, condition),
    },
  })
  if (created.length === 0) refuseWith('request.changed_meanwhile')
  return { id }
}

/**
 * Sends an invitation again, with a new link that is valid for the same time. The link that was sent before no longer
 * works, and the caller becomes the inviter.
 */
export async function resendOrganizationInvitation(
  dependencies: InvitationSending,
  key: OrganizationInvitationKey,
  { by, audit, message }: Change & { message: MessageRequest },
): Promise<void> {
  const { db, now } = dependencies
  const { invitation, facts } = await readOpenInvitation(dependencies, key, by)
  const { email, language, roleIds, sentAt, createdAt } = invitation
  const at = now()
  const expiresAt = at + (invitation.expiresAt - (sentAt ?? createdAt))
  const recipient = { email, language: language ?? facts.locale, expiresAt }
  const digest = await sendLink(dependencies, { key, by, message, audit, recipient, facts })
  const condition = allOf(organizationInvitationIsOpen(key), rolesExist(key.tenantId, roleIdList(roleIds)))
  const changes = { digest, ...inviterColumns(by), sentAt: at, expiresAt }
  const { changed } = await commitChange(db, {
    tenantId: key.tenantId,
    condition,
    preconditions: facts.authority,
    audit: audit.success(),
    statements: { changed: updateOpenOrganizationInvitation(db, key, changes, condition) },
  })
  if (changed.length === 0) refuseWith('entity.not_found')
}

/** Revokes an invitation. Its page then says so until the row is deleted. */
export async function revokeOrganizationInvitation(
  dependencies: Pick<Dependencies, 'db' | 'now'>,
  key: OrganizationInvitationKey,
  { by, audit }: { by: ActingParty; audit: AuditEntry },
): Promise<void> {
  const { db, now } = dependencies
  const { facts } = await readOpenInvitation(dependencies, key, by)
  const { changed } = await commitChange(db, {
    tenantId: key.tenantId,
    condition: organizationInvitationIsOpen(key),
    preconditions: facts.authority,
    audit: audit.success(),
    statements: { changed: updateOpenOrganizationInvitation(db, key, { revokedAt: now() }) },
  })
  if (changed.length === 0) refuseWith('entity.not_found')
}

type Facts = Awaited<ReturnType<typeof authorizeInvitation>>

/**
 * Reads what an invitation depends on, and throws if the party may not give its roles. Unknown roles are rejected
 * unless the invitation exists already, in which case a deleted role gives nothing.
 */
async function authorizeInvitation(
  { db }: Pick<Dependencies, 'db'>,
  key: OrganizationKey,
  by: ActingParty,
  {
    email,
    roleIds,
    mayLackRoles = false,
  }: { email: string; roleIds: readonly string[]; mayLackRoles?: boolean },
) {
  const { own, organizations, roles, invitees } = await readTogether(db, {
    own: actingRolesQuery(db, key, by),
    organizations: organizationQuery(db, key),
    roles: rolePowersQuery(db, key.tenantId, roleIds),
    invitees: inviteeQuery(db, key, email),
  })
  const [organization] = organizations
  if (!organization) return refuseUnknownOrganization(by, key.organizationId)
  const powers = toRolePowers(roles)
  const authority = authorize(
    key,
    { by, own },
    { permission: 'members:manage', roles: { powers, inBatch: roleIdList(roleIds) } },
  )
  if (!mayLackRoles) refuseUnknownRole(roleIds, powers)
  const [invitee] = invitees
  return {
    authority,
    organizationName: organization.name,
    locale: invitee?.locale ?? null,
    isMember: invitee?.isMember === 1,
  }
}

/** Reads an invitation that is neither accepted nor revoked, and checks the authority over its roles. */
async function readOpenInvitation(
  dependencies: Pick<Dependencies, 'db' | 'now'>,
  key: OrganizationInvitationKey,
  by: ActingParty,
) {
  const { db, now } = dependencies
  const [invitation] = await organizationInvitationQuery(db, key, now())
  const { email = '', roleIds = [] } = invitation ?? {}
  const facts = await authorizeInvitation(dependencies, key, by, { email, roleIds, mayLackRoles: true })
  if (invitation?.state !== 'pending' && invitation?.state !== 'expired')
    return refuseWith('entity.not_found')
  return { invitation, facts }
}

type Sending = Change & {
  key: OrganizationKey
  message: MessageRequest
  recipient: { email: string; language: string | null; expiresAt: number }
  facts: Facts
}

/** Sends a link to the address and returns its digest. The limits bound what an organisation can send to strangers. */
async function sendLink(
  dependencies: InvitationSending,
  { key: { tenantId, organizationId }, by, message, audit, recipient, facts }: Sending,
): Promise<string> {
  const { inviterType, inviterId } = inviterColumns(by)
  const [user] = inviterType === 'app' ? [] : await inviterNameQuery(dependencies.db, tenantId, inviterId)
  const subject = { organization: facts.organizationName, inviter: user?.name ?? undefined }
  const sent = await sendInvitationLink(dependencies, message, { ...recipient, subject }, [
    { limit: 'organizationInvitations', id: organizationId },
    { limit: 'organizationInvitationsPerAddress', name: { by: 'email', value: recipient.email } },
  ])
  const [digest] = await digestInvitationToken(dependencies, tenantId, sent.token, 'organization')
  audit.add({ connectorId: sent.connectorId })
  return digest
}

const inviterColumns = (by: Inviter) =>
  by.kind === 'member'
    ? ({ inviterType: 'member', inviterId: by.userId } as const)
    : ({ inviterType: by.principal.type, inviterId: by.principal.id } as const)
