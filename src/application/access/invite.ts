import type { AdministratorInvitation } from '../../contract/access/administrator-invitations.schema.ts'
import type { InvitationCreation } from '../../contract/access/invitations.schema.ts'
import {
  INVITATION_LIFETIMES,
  type InvitationDelivery,
  type InvitationKind,
  type InvitedNames,
} from '../../contract/access/invitations.ts'
import { unprocessableInput } from '../../contract/invalid-input.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { SECOND } from '../../contract/time.ts'
import { isInternalRole } from '../../domain/access/administration.ts'
import {
  insertInvitation,
  invitationIsOpen,
  invitationQuery,
  type NewInvitation,
  updateOpenInvitation,
} from '../../storage/access/invitations.ts'
import { existingRolesQuery } from '../../storage/access/role-list.ts'
import { commitChange } from '../../storage/commit.ts'
import { randomId } from '../../storage/ids.ts'
import type { AuditEntry } from '../audit.ts'
import type { MessageRequest } from '../connectors/send.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  DIRECT_INVITATION_LIFETIME,
  digestInvitationToken,
  generateInvitationToken,
  invitationUrl,
} from './invitation-links.ts'
import type { Principal } from './management-token.ts'
import { canSendInvitations, type InvitationSending, sendInvitationLink } from './send-invitation.ts'

type Inviter = { tenantId: string; inviter: Principal; audit: AuditEntry }

type DirectInvitation = Inviter & {
  /** The origin of the request, which is also the origin of the link. */
  origin: string
  roleId: string
  email: string | null
}

/**
 * Creates a short-lived link through which one person can become an administrator, for tenants that cannot send
 * messages yet (spec/management#administrator-invitations).
 */
export async function inviteAdministrator(
  dependencies: Pick<Dependencies, 'db' | 'seals' | 'now'>,
  { tenantId, origin, roleId, email, inviter, audit }: DirectInvitation,
): Promise<AdministratorInvitation> {
  const { kind } = await readInvitedRoles(dependencies, tenantId, [roleId])
  // Roles of users are given by the other call, which says so in its description.
  throwIfRefused(
    kind === 'user'
      ? unprocessableInput([{ path: ['roleId'], message: 'is not an administrator role' }])
      : null,
  )
  const at = dependencies.now()
  const expiresAt = at + DIRECT_INVITATION_LIFETIME
  const lifetimeSeconds = DIRECT_INVITATION_LIFETIME / SECOND
  const { token, row } = await createCopiedLink(dependencies, tenantId)
  await storeInvitation(dependencies, audit, {
    ...row,
    ...inviterColumns(inviter, at),
    kind,
    delivery: 'direct',
    email,
    roleIds: [roleId],
    names: {},
    lifetimeSeconds,
    expiresAt,
  })
  return { url: invitationUrl(origin, token), roleId, email, expiresAt }
}

type InvitationRequest = Inviter & {
  /** The kind that the roles determine (`readInvitedRoles`). */
  kind: InvitationKind
  /** The origin of the request, which is also the origin of a link that is copied. */
  origin: string
  message: MessageRequest
  invitation: InvitationCreation
}

/** Invites a person by email, or creates a link for the inviter to pass on (spec/management#invitations). */
export async function invite(
  dependencies: InvitationSending,
  { tenantId, origin, message, kind, invitation, inviter, audit }: InvitationRequest,
) {
  const { email, roleIds, language = null, lifetimeSeconds, delivery: requested, ...names } = invitation
  const delivery = await chooseDelivery(dependencies, tenantId, { requested, lifetimeSeconds })
  const at = dependencies.now()
  const expiresAt = at + lifetimeSeconds * SECOND
  const created: Omit<NewInvitation, 'tenantId' | 'id'> = {
    ...inviterColumns(inviter, at),
    kind,
    delivery,
    email,
    roleIds: [...new Set(roleIds)],
    names: definedNames(names),
    language,
    lifetimeSeconds,
    expiresAt,
  }
  if (delivery !== 'email') {
    const { token, row } = await createCopiedLink(dependencies, tenantId)
    await storeInvitation(dependencies, audit, { ...row, ...created })
    return { id: row.id, url: invitationUrl(origin, token) }
  }
  const id = randomId()
  const recipient = { email, language, expiresAt }
  const sent = await sendInvitationLink(dependencies, message, recipient, sendsOf(inviter, email))
  const [sentDigest] = await digestInvitationToken(dependencies, tenantId, sent.token)
  audit.add({ connectorId: sent.connectorId })
  await storeInvitation(dependencies, audit, { tenantId, id, ...created, sentDigest, sentAt: at })
  return { id, url: null }
}

/**
 * Sends an invitation again, with a new link and a new lifetime. The caller becomes its inviter. The link that was sent
 * or copied before no longer works.
 */
export async function resendInvitation(
  dependencies: InvitationSending,
  { tenantId, id, message, inviter, audit }: Inviter & { id: string; message: MessageRequest },
): Promise<void> {
  const { db } = dependencies
  const invitation = await readOpenInvitation(dependencies, tenantId, id)
  const { email, language, lifetimeSeconds } = invitation
  if (email === null) return refuseWith('user.address_needed')
  const at = dependencies.now()
  const lifetime = Math.max(lifetimeSeconds, INVITATION_LIFETIMES.hour)
  const expiresAt = at + lifetime * SECOND
  const recipient = { email, language, expiresAt }
  const sent = await sendInvitationLink(dependencies, message, recipient, sendsOf(inviter, email))
  const [sentDigest] = await digestInvitationToken(dependencies, tenantId, sent.token)
  audit.add({ connectorId: sent.connectorId })
  const { changed } = await commitChange(db, {
    tenantId,
    condition: invitationIsOpen({ tenantId, id }),
    audit: audit.success(),
    statements: {
      changed: updateOpenInvitation(
        db,
        { tenantId, id },
        {
          ...inviterColumns(inviter, at),
          delivery: 'email',
          sentDigest,
          copiedDigest: null,
          sentAt: at,
          expiresAt,
          lifetimeSeconds: lifetime,
        },
      ),
    },
  })
  if (changed.length === 0) refuseWith('entity.not_found')
}

/** Revokes an invitation. Its page then says so until the row is deleted. */
export async function revokeInvitation(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { tenantId, id, audit }: { tenantId: string; id: string; audit: AuditEntry },
): Promise<void> {
  const key = { tenantId, id }
  const { changed } = await commitChange(db, {
    tenantId,
    condition: invitationIsOpen(key),
    audit: audit.success(),
    statements: { changed: updateOpenInvitation(db, key, { revokedAt: now() }) },
  })
  if (changed.length === 0) refuseWith('entity.not_found')
}

/** Reads an invitation that is neither accepted nor revoked, or throws. */
export async function readOpenInvitation(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  tenantId: string,
  id: string,
) {
  const [invitation] = await invitationQuery(db, { tenantId, id }, now())
  const isOpen = invitation?.state === 'pending' || invitation?.state === 'expired'
  return isOpen ? invitation : refuseWith('entity.not_found')
}

/** Checks that the roles exist, and returns whether they make somebody an administrator. */
export async function readInvitedRoles(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
  roleIds: readonly string[],
): Promise<{ kind: InvitationKind }> {
  const roles = roleIds.length > 0 ? await existingRolesQuery(db, tenantId, roleIds) : []
  const unknown = roleIds.find((roleId) => !roles.some(({ id }) => id === roleId))
  if (unknown !== undefined) refuseWith('entity.not_exists_with_id', { id: unknown })
  return { kind: roles.some(({ name }) => isInternalRole(name)) ? 'administrator' : 'user' }
}

/**
 * Returns how the link reaches the person. Without a connector nobody can prove an address, so a copied link then has
 * to be short-lived (ADR-0184).
 */
async function chooseDelivery(
  dependencies: InvitationSending,
  tenantId: string,
  { requested, lifetimeSeconds }: { requested: 'email' | 'link'; lifetimeSeconds: number },
): Promise<InvitationDelivery> {
  if (await canSendInvitations(dependencies, tenantId)) return requested
  const isShort = lifetimeSeconds <= INVITATION_LIFETIMES.hour
  return requested === 'link' && isShort ? 'direct' : refuseWith('connector.not_found', { type: 'Email' })
}

const sendsOf = ({ type, id }: Principal, email: string) =>
  [
    { limit: 'sendsPerApplication', id: `${type}/${id}` },
    { limit: 'codeSendsPerAddress', name: { by: 'email', value: email } },
  ] as const

const inviterColumns = ({ type, id }: Principal, at: number) => ({
  inviterType: type,
  inviterId: id,
  invitedAt: at,
})

const definedNames = ({ name, givenName, familyName }: InvitedNames): InvitedNames =>
  Object.fromEntries(
    Object.entries({ name, givenName, familyName }).filter(([, value]) => value !== undefined),
  )

async function createCopiedLink(dependencies: Pick<Dependencies, 'seals'>, tenantId: string) {
  const token = generateInvitationToken()
  const [copiedDigest] = await digestInvitationToken(dependencies, tenantId, token)
  return { token, row: { tenantId, id: randomId(), copiedDigest } }
}

async function storeInvitation(
  { db }: Pick<Dependencies, 'db'>,
  audit: AuditEntry,
  invitation: NewInvitation,
): Promise<void> {
  const { tenantId, id } = invitation
  audit.add({ invitationId: id })
  await commitChange(db, {
    tenantId,
    audit: audit.success(),
    statements: { created: insertInvitation(db, invitation) },
  })
}
