import { USER_ID_LENGTH } from '../../contract/ids.ts'
import type { Identifier } from '../../contract/interactions/identifiers.ts'
import { ACCOUNT_APP_ID } from '../../contract/product.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { createAgreement } from '../../domain/access/invited-account.ts'
import {
  hasInvitedAddress,
  hasOpenLink,
  invitationAcceptanceStatements,
  updateOpenInvitation,
} from '../../storage/access/invitations.ts'
import { insertMissingLinks } from '../../storage/access/role-links.ts'
import { rolesByNameQuery } from '../../storage/access/roles.ts'
import { commitChange, commitRepeatable } from '../../storage/commit.ts'
import { ALWAYS_TRUE, allOf, type Condition, not } from '../../storage/conditions.ts'
import {
  extendedMembersJson,
  type MemberChanges,
  newMembersJson,
  presentMembersJson,
} from '../../storage/hooks/organization-events.ts'
import { randomId } from '../../storage/ids.ts'
import { hasAuditEntry } from '../../storage/logs.ts'
import { organizationAcceptanceStatements } from '../../storage/organisations/invitation-acceptance.ts'
import { insertUserIf, type NewUserRow } from '../../storage/users/user-changes.ts'
import { isUnrevoked, type UserRow, userExists } from '../../storage/users/users.ts'
import { rethrowAsConflict } from '../account/uniqueness-refusal.ts'
import type { AuditEntry } from '../audit.ts'
import { codeSendAttempts } from '../codes/send.ts'
import type { MessageRequest } from '../connectors/send.ts'
import type { Dependencies } from '../dependencies.ts'
import { dispatchNotifications } from '../hooks/events.ts'
import { dispatchHooks, rolesAddedEvents, userCreatedEvents } from '../hooks/user-events.ts'
import { membersEvent } from '../organisations/members.ts'
import { countNewPassword, prepareNewPasswordColumns } from '../passwords/new-password.ts'
import { digestInvitationToken } from './invitation-links.ts'
import type { OpenInvitation } from './read-invitation.ts'
import { type InvitationSending, sendInvitationLink } from './send-invitation.ts'

type Acceptance = {
  tenantId: string
  invitation: OpenInvitation
  user: UserRow
  audit: AuditEntry
  background(task: () => Promise<unknown>): void
}

/**
 * Gives the roles to a signed-in user (spec/account-centre#invitations). Because all writes are in one batch,
 * concurrent uses of an invitation have only one effect, and a user who has just been suspended does not use up the
 * invitation.
 */
export async function acceptInvitation(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  { tenantId, invitation, user, audit, background }: Acceptance,
): Promise<void> {
  const { db, now } = dependencies
  requireProof(invitation)
  const { email, proof } = invitation
  const owner = { email: email ?? '', isVerified: proof === 'proven' }
  const ownsAddress = email === null ? ALWAYS_TRUE : hasInvitedAddress(tenantId, user.id, owner)
  const use = { ...invitation, tenantId, userId: user.id, now: now() }
  const mayAccept = allOf(isUnrevoked(tenantId, user), ownsAddress)
  const { condition, outbox, ...statements } = acceptanceOf(dependencies, use, mayAccept)
  const { used, outboxIds } = await commitRepeatable(db, {
    tenantId,
    condition,
    audit: audit.success(),
    statements,
    outbox,
  })
  if (used.length === 0) refuseWith('user.invitation_invalid')
  dispatchHooks(dependencies, { tenantId, outboxIds }, { background })
}

type Use = OpenInvitation & { tenantId: string; userId: string; now: number }

/** Returns the statements and events that accept an invitation, as long as its condition holds. */
function acceptanceOf({ db }: Pick<Dependencies, 'db'>, use: Use, extraCondition?: Condition) {
  const { organization } = use
  return organization
    ? {
        ...organizationAcceptanceStatements(db, { ...use, organizationId: organization.id }, extraCondition),
        outbox: {
          hooksBefore: [
            joinedEvent(use, organization.id, {
              added: newMembersJson(membersOf(use, organization.id), use.roleIds),
              updated: extendedMembersJson(membersOf(use, organization.id), use.roleIds),
            }),
          ],
        },
      }
    : { ...invitationAcceptanceStatements(db, use, extraCondition), outbox: rolesAddedEvents(use) }
}

const membersOf = ({ tenantId, userId }: Use, organizationId: string) => ({
  tenantId,
  organizationId,
  userIds: [userId],
})

/** Returns the event about a user who joins an organisation. */
const joinedEvent = ({ userId, now }: Use, organizationId: string, members: MemberChanges) =>
  membersEvent({ now: () => now }, organizationId, { actor: { type: 'user', id: userId } }, members)

type CreationDependencies = InvitationSending & Pick<Dependencies, 'deliveries'>

type NewAccount = {
  tenantId: string
  ip: string | undefined
  invitation: OpenInvitation
  /** The username or address that the user signs in with. */
  identifier: Identifier
  /** Undefined if users of the tenant sign in with codes. */
  password: string | undefined
  audit: AuditEntry
  userAgent: string | undefined
  background(task: () => Promise<unknown>): void
}

/**
 * Creates the account of an invited user, whether or not the tenant allows registration. Because all writes are in one
 * batch, concurrent uses of an invitation create only one account (spec/account-centre#invitations). Hooks receive the
 * event of a registration.
 */
export async function createInvitedAccount(
  dependencies: CreationDependencies,
  account: NewAccount,
): Promise<void> {
  const { db, now } = dependencies
  const { tenantId, invitation, audit, userAgent, background } = account
  requireProof(invitation)
  const { organization } = invitation
  const columns = await accountColumns(dependencies, account)
  const hasDefaultRoles = invitation.kind !== 'administrator'
  const defaultRoles = hasDefaultRoles ? await readDefaultRoles(dependencies, tenantId) : []
  const [userId, createdAt] = [randomId(USER_ID_LENGTH), now()]
  const use = { ...invitation, tenantId, userId, now: createdAt }
  const { condition, outbox: _outbox, ...statements } = acceptanceOf(dependencies, use)
  audit.add({ userId })
  // If the response was lost and the batch runs again, the account from the first run already exists.
  const isNew = allOf(condition, not(userExists(tenantId, userId)))
  const entry = audit.success()
  const occasion = { userId, applicationId: ACCOUNT_APP_ID, now: createdAt }
  const { used, outboxIds } = await commitRepeatable(db, {
    tenantId,
    condition,
    audit: entry,
    outbox: {
      hooks: [
        { event: 'PostRegister', interactionEvent: 'Register', userAgent, ...occasion },
        userCreatedEvents(occasion),
        ...(organization
          ? [
              joinedEvent(use, organization.id, {
                added: presentMembersJson(membersOf(use, organization.id)),
              }),
            ]
          : []),
      ],
      hooksIf: hasAuditEntry(tenantId, entry.id),
    },
    statements: {
      user: insertUserIf(db, tenantId, isNew, { ...columns, id: userId, createdAt }),
      defaultRoles:
        defaultRoles.length > 0
          ? insertMissingLinks(db, tenantId, 'user', linksOf(userId, defaultRoles), condition)
          : undefined,
      ...statements,
    },
  }).catch(rethrowAsConflict)
  if (used.length === 0) refuseWith('user.invitation_invalid')
  dispatchNotifications(dependencies, { tenantId, userId, outboxIds, background })
}

const linksOf = (memberId: string, roles: readonly { id: string }[]) =>
  roles.map(({ id }) => ({ roleId: id, memberId }))

/** Reads the roles that every user who registers gets (spec/interaction#register-effects). */
async function readDefaultRoles(
  { db, settings }: Pick<Dependencies, 'db' | 'settings'>,
  tenantId: string,
): Promise<{ id: string }[]> {
  const roles = await rolesByNameQuery(db, tenantId, settings.userDefaultRoleNames)
  if (roles.length < settings.userDefaultRoleNames.length) refuseWith('role.default_role_missing')
  return roles
}

/**
 * Returns the columns of the new account. A password is checked and rate-limited like any new password. The address is
 * stored even if the tenant does not use addresses to sign in, and verified only if the link was sent to it.
 */
async function accountColumns(
  dependencies: CreationDependencies,
  { tenantId, ip, invitation, identifier, password, audit }: NewAccount,
): Promise<Partial<Omit<NewUserRow, 'id' | 'createdAt'>>> {
  const { email, names, proof } = invitation
  const { name, ...profile } = names
  const { type, value } = identifier
  const primaryEmail = email ?? (type === 'email' ? value : null)
  if (password !== undefined) throwIfRefused(await countNewPassword(dependencies, { tenantId, ip }))
  const credentials =
    password === undefined ? {} : await prepareNewPasswordColumns(dependencies, { tenantId, password, audit })
  const agreement = createAgreement(await dependencies.experience.get(tenantId), dependencies.now())
  return {
    ...credentials,
    ...(primaryEmail !== null && { primaryEmail, emailVerified: proof === 'proven' }),
    ...(type === 'username' && { username: value }),
    ...(name !== undefined && { name }),
    profile,
    ...(agreement && { termsAgreement: agreement }),
  }
}

/** The page of a link that proves nothing has no form to accept, so only a forged request gets here. */
function requireProof({ proof }: OpenInvitation): void {
  if (proof === 'missing') refuseWith('user.invitation_invalid')
}

type LinkRequest = {
  tenantId: string
  ip: string | undefined
  invitation: OpenInvitation
  message: MessageRequest
  audit: AuditEntry
}

/** Sends a link that proves the address to somebody who has a copied link. It replaces links that were sent before. */
export async function sendProvingLink(
  dependencies: InvitationSending,
  { tenantId, ip, invitation, message, audit }: LinkRequest,
): Promise<void> {
  const { id, email, language, expiresAt } = invitation
  if (email === null) return refuseWith('user.invitation_invalid')
  const { db, now } = dependencies
  const attempts = codeSendAttempts({ type: 'email', value: email }, { ip, proven: [] })
  const sent = await sendInvitationLink(dependencies, message, { email, language, expiresAt }, attempts)
  const [sentDigest] = await digestInvitationToken(dependencies, tenantId, sent.token)
  audit.add({ connectorId: sent.connectorId })
  const at = now()
  const key = { tenantId, id }
  const condition = hasOpenLink(key, invitation.digests, at)
  const { changed } = await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    statements: { changed: updateOpenInvitation(db, key, { sentDigest, sentAt: at }, condition) },
  })
  if (changed.length === 0) refuseWith('user.invitation_invalid')
}
