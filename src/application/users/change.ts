import { refuseWith } from '../../contract/refused.ts'
import type { AddressType } from '../../domain/account/address-rules.ts'
import { describeChanges, mergePatch } from '../../domain/audit-changes.ts'
import { pick } from '../../domain/pick.ts'
import { deletionQuery } from '../../storage/account/account-deletions.ts'
import { closeAddressChanges } from '../../storage/account/address-changes.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import { ALWAYS_TRUE } from '../../storage/conditions.ts'
import { userQuery } from '../../storage/interactions/oidc-reads.ts'
import { hasAuditEntry } from '../../storage/logs.ts'
import type { Guarded } from '../../storage/preconditions.ts'
import { clearConsecutiveFailures } from '../../storage/rate-limits.ts'
import { replacedPictureQuery, type UserChanges, updateUserIf } from '../../storage/users/user-changes.ts'
import { getUser, hasIdentity, type UserRow, userExists } from '../../storage/users/users.ts'
import { eraseUser } from '../account/deletion.ts'
import { rethrowAsConflict } from '../account/uniqueness-refusal.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { removeReplacedPicture } from '../experience/remove-uploads.ts'
import { dispatchHooks, type HookDispatch, userChangedEvents } from '../hooks/user-events.ts'
import { type PasswordCheckDependencies, prepareNewPasswordColumns } from '../passwords/new-password.ts'
import { finishRevocation, logoutEvents } from '../sessions/revoke.ts'

type UserDependencies = Pick<Dependencies, 'db' | 'deliveries'>

type UserRequest = Guarded & {
  tenantId: string
  userId: string
  audit: AuditEntry
  /** The URL of the request. Its origin is that of the issuer that applications know. */
  url: string
} & HookDispatch

export type UserWithDeletion = {
  user: UserRow
  /** The deletion that the user has requested, if it has not been cancelled. */
  deletion: { requestedAt: number; dueAt: number } | undefined
}

type ChangeDependencies = UserDependencies & Pick<Dependencies, 'network' | 'now' | 'tenantSettings'>

/** Changes a user. If `revokedAt` is set, it also ends the user's sessions (spec/accounts#revocation). */
export async function changeUser(
  dependencies: ChangeDependencies,
  {
    tenantId,
    userId,
    changes,
    audit,
    url,
    actor,
    preconditions,
    ...dispatch
  }: UserRequest & { changes: UserChanges },
): Promise<UserWithDeletion> {
  const { db } = dependencies
  const { revokedAt, avatar } = changes
  const owner = { tenantId, userId }
  const stored = await findUserById({ db }, tenantId, userId)
  const closing = (type: AddressType, value: string | null | undefined) =>
    value === undefined ? undefined : closeAddressChanges(db, owner, { type, value })
  const revocation = typeof revokedAt === 'number' ? { tenantId, userId, revokedAt } : null
  const { changed, deletions, replaced, outboxIds } = await commitChange(db, {
    tenantId,
    condition: userExists(tenantId, userId),
    preconditions,
    audit: audit.success(describeUserChanges(stored, changes)),
    statements: {
      replaced:
        avatar === undefined
          ? undefined
          : replacedPictureQuery(db, tenantId, ALWAYS_TRUE, { id: userId, avatar }),
      emails: closing('email', changes.primaryEmail),
      phones: closing('phone', changes.primaryPhone),
      changed: updateUserIf(db, tenantId, ALWAYS_TRUE, userId, changes),
      failures: changes.passwordEncrypted ? clearConsecutiveFailures(db, tenantId, userId) : undefined,
      deletions: deletionQuery(db, owner),
    },
    outbox: {
      logouts: revocation ? logoutEvents(revocation, url) : undefined,
      hooks: userChangedEvents(changes, { userId, actor, now: dependencies.now() }),
    },
  }).catch(rethrowAsConflict)
  const [user] = changed
  if (replaced.length > 0)
    dispatch.background(() => removeReplacedPicture(dependencies, { ...owner, replaced, avatar }))
  if (user && revocation) finishRevocation(dependencies, { ...revocation, ...dispatch, outboxIds })
  else dispatchHooks(dependencies, { tenantId, outboxIds }, dispatch)
  return { user: user ?? refuseWith('entity.not_found'), deletion: pendingOf(deletions) }
}

/** The fields whose values an audit row contains. The others are secrets, times and identities. */
const auditedFields = [
  ...(['username', 'primaryEmail', 'primaryPhone', 'emailVerified', 'phoneVerified'] as const),
  ...(['name', 'avatar', 'isSuspended', 'customData'] as const),
]

function describeUserChanges(stored: UserRow, { profile, ...changes }: UserChanges) {
  const before = { ...pick(stored, auditedFields), profile: stored.profile }
  const after = { ...before, ...pick({ ...stored, ...changes }, auditedFields) }
  // An address is merged part by part (spec/accounts#profile).
  return describeChanges(before, { ...after, profile: mergePatch(stored.profile, profile, 2) })
}

/**
 * Sets a user's password without asking for the old one, and ends the user's sessions, because other people may have
 * known the old password.
 */
export async function setUserPassword(
  dependencies: ChangeDependencies & PasswordCheckDependencies,
  { password, ...request }: UserRequest & { password: string },
): Promise<UserWithDeletion> {
  const { tenantId, audit } = request
  const columns = await prepareNewPasswordColumns(dependencies, { tenantId, password, audit })
  const changes = { ...columns, revokedAt: dependencies.now() }
  return changeUser(dependencies, { ...request, changes })
}

/** Deletes a user and ends the user's sessions. The applications in these sessions receive a logout token. */
export async function deleteUser(
  dependencies: UserDependencies,
  { audit, ...deletion }: UserRequest & { revokedAt: number },
): Promise<void> {
  const condition = userExists(deletion.tenantId, deletion.userId)
  const erased = await eraseUser(dependencies, { ...deletion, condition, audit: audit.success() })
  if (!erased) refuseWith('entity.not_found')
  finishRevocation(dependencies, { ...deletion, outboxIds: erased.outboxIds })
}

type IdentityRemoval = HookDispatch & { tenantId: string; userId: string; target: string; audit: AuditEntry }

export async function unlinkIdentity(
  dependencies: Pick<Dependencies, 'db' | 'deliveries' | 'now'>,
  { tenantId, userId, target, audit, actor, ...dispatch }: IdentityRemoval,
): Promise<UserRow> {
  const { db, now } = dependencies
  const condition = hasIdentity(tenantId, userId, target)
  const changes = { removeIdentity: target }
  const entry = audit.success()
  const { changed, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: entry,
    statements: { changed: updateUserIf(db, tenantId, condition, userId, changes) },
    outbox: {
      hooks: userChangedEvents(changes, { userId, actor, now: now() }),
      hooksIf: hasAuditEntry(tenantId, entry.id),
    },
  })
  const [user] = changed
  dispatchHooks(dependencies, { tenantId, outboxIds }, dispatch)
  if (user) return user
  await findUserById({ db }, tenantId, userId)
  return refuseWith('user.identity_not_exist', undefined, 404)
}

export const findUserById = async (
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
  id: string,
): Promise<UserRow> => (await getUser(db, tenantId, id)) ?? refuseWith('entity.not_found')

export async function findUserWithDeletion(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
  userId: string,
): Promise<UserWithDeletion> {
  const { users, deletions } = await readTogether(db, {
    users: userQuery(db, tenantId, userId),
    deletions: deletionQuery(db, { tenantId, userId }),
  })
  return { user: users[0] ?? refuseWith('entity.not_found'), deletion: pendingOf(deletions) }
}

type Deletions = readonly (NonNullable<UserWithDeletion['deletion']> & { canceledAt: number | null })[]

function pendingOf(deletions: Deletions): UserWithDeletion['deletion'] {
  const pending = deletions.find(({ canceledAt }) => canceledAt === null)
  return pending && { requestedAt: pending.requestedAt, dueAt: pending.dueAt }
}
