import { z } from 'zod'
import { USER_ID_LENGTH } from '../../contract/ids.ts'
import type { Identifier } from '../../contract/interactions/identifiers.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { createAgreement } from '../../domain/access/administrator-account.ts'
import {
  invitationAcceptanceStatements,
  type StoredInvitation,
  validInvitationQuery,
} from '../../storage/access/administrator-invitations.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitRepeatable } from '../../storage/commit.ts'
import { allOf, not } from '../../storage/conditions.ts'
import { randomId } from '../../storage/ids.ts'
import { hasAuditEntry } from '../../storage/logs.ts'
import { insertUserIf, type NewUserRow } from '../../storage/users/user-changes.ts'
import { isUnrevoked, type UserRow, userExists } from '../../storage/users/users.ts'
import { rethrowAsConflict } from '../account/uniqueness-refusal.ts'
import { type AttemptDependencies, createTenantAttemptLimiter } from '../attempts.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { rolesChangedEvents, userCreatedEvents } from '../hooks/user-events.ts'
import { countNewPassword, prepareNewPasswordColumns } from '../passwords/new-password.ts'
import { digestInvitationToken } from './invite.ts'

type InvitationRequest = {
  tenantId: string
  token: string
  ip: string | undefined
  background(task: () => Promise<unknown>): void
}

/** An invitation that is still valid and unused. */
export type OpenInvitation = StoredInvitation & { id: string; expiresAt: number; inviter: string | null }

/** The payload of an invitation row. Only `invite.ts` and this module write such rows. */
const Stored = z.object({
  roleId: z.string(),
  email: z.string().nullable(),
  invitedBy: z.object({ userId: z.string(), at: z.number() }).nullable().default(null),
})

/**
 * Rejects an invitation. The error names the command that creates a new one only to developers: the person who was
 * invited cannot run it.
 */
const refuseInvitation = (settings?: Dependencies['settings']): never =>
  refuseWith(
    'user.invitation_invalid',
    settings?.environment === 'development' ? { error_description: 'npm run admin -- invite' } : undefined,
  )

/**
 * Reads an invitation without using it up. Returns the same error whether the token is unknown, expired, already used
 * or from another tenant. As with device codes, every token is counted before it is looked up, and the attempt is
 * refunded if the token is valid (spec/limits#rate-limits).
 */
export async function readInvitation(
  dependencies: AttemptDependencies & Pick<Dependencies, 'seals'>,
  { tenantId, token, ip, background }: InvitationRequest,
): Promise<OpenInvitation> {
  const { db, settings } = dependencies
  if (token === '') return refuseInvitation(settings)
  const attempts = await createTenantAttemptLimiter(dependencies, tenantId)
  const { now } = attempts.circumstances
  const { consumed, invitations } = await readTogether(db, {
    consumed: attempts.count([{ limit: 'invitationTriesPerNetwork', ip }]),
    invitations: validInvitationQuery(
      db,
      tenantId,
      await digestInvitationToken(dependencies, tenantId, token),
      now,
    ),
  })
  throwIfRefused(attempts.refusal(consumed))
  const [invitation] = invitations
  if (!invitation) return refuseInvitation(settings)
  background(() => attempts.refund(consumed))
  const { id, expiresAt, inviter, payload } = invitation
  return { id, expiresAt, inviter, ...Stored.parse(payload) }
}

type Acceptance = { tenantId: string; invitation: OpenInvitation; user: UserRow; audit: AuditEntry }

/**
 * Assigns the administrator role to a signed-in user (spec/account-centre#invitations). Because all writes are in one
 * batch, concurrent uses of an invitation create only one administrator, and a user who has just been suspended does
 * not use up the invitation.
 */
export async function acceptInvitation(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { tenantId, invitation, user, audit }: Acceptance,
): Promise<void> {
  const use = { ...invitation, tenantId, userId: user.id, now: now() }
  const { condition, ...statements } = invitationAcceptanceStatements(db, use, isUnrevoked(tenantId, user))
  const entry = audit.success()
  const { used } = await commitRepeatable(db, {
    tenantId,
    condition,
    audit: entry,
    statements,
    outbox: {
      hooks: [rolesChangedEvents({ userId: user.id, now: use.now })],
      hooksIf: hasAuditEntry(tenantId, entry.id),
    },
  })
  if (used.length === 0) refuseInvitation()
}

type CreationDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'settings' | 'tenantSettings' | 'network' | 'experience'
>

/**
 * Creates an account with the administrator role, whether or not the tenant allows registration. Because all writes are
 * in one batch, concurrent uses of an invitation create only one account (spec/account-centre#invitations). The link
 * was shown in a terminal rather than sent to an address, so opening it does not verify an address.
 */
export async function createAdministrator(
  dependencies: CreationDependencies,
  { invitation, ...administrator }: Omit<NewAdministrator, 'email'> & { invitation: OpenInvitation },
): Promise<void> {
  const { db, now } = dependencies
  const { tenantId, audit } = administrator
  const columns = await administratorColumns(dependencies, { ...administrator, email: invitation.email })
  const [id, createdAt] = [randomId(USER_ID_LENGTH), now()]
  const use = { ...invitation, tenantId, userId: id, now: createdAt }
  const { condition, ...statements } = invitationAcceptanceStatements(db, use)
  const user = { ...columns, ...(columns.primaryEmail && { emailVerified: false }), id, createdAt }
  audit.add({ userId: id })
  // If the response was lost and the batch runs again, the account from the first run already exists.
  const isNew = allOf(condition, not(userExists(tenantId, id)))
  const entry = audit.success()
  const { used } = await commitRepeatable(db, {
    tenantId,
    condition,
    audit: entry,
    statements: { user: insertUserIf(db, tenantId, isNew, user), ...statements },
    outbox: {
      hooks: [userCreatedEvents({ userId: id, now: createdAt })],
      hooksIf: hasAuditEntry(tenantId, entry.id),
    },
  }).catch(rethrowAsConflict)
  if (used.length === 0) refuseInvitation()
}

type NewAdministrator = {
  tenantId: string
  ip: string | undefined
  identifier: Identifier
  password: string
  /**
   * The email address in the invitation, or null if it has none. It is stored even if the tenant does not use email
   * addresses to sign in.
   */
  email: string | null
  audit: AuditEntry
}

/** Returns the columns of the new account. The password is checked and rate-limited like any new password. */
async function administratorColumns(
  dependencies: CreationDependencies,
  { tenantId, ip, identifier, password, email, audit }: NewAdministrator,
): Promise<Partial<Omit<NewUserRow, 'id' | 'createdAt' | 'emailVerified'>>> {
  throwIfRefused(await countNewPassword(dependencies, { tenantId, ip }))
  const columns = await prepareNewPasswordColumns(dependencies, { tenantId, password, audit })
  const agreement = createAgreement(await dependencies.experience.get(tenantId), dependencies.now())
  const { type, value } = identifier
  return {
    ...columns,
    ...(email !== null && { primaryEmail: email }),
    ...(type === 'email' ? { primaryEmail: value } : { username: value }),
    ...(agreement && { termsAgreement: agreement }),
  }
}
