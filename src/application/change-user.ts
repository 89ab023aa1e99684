import { refuseWith } from '../contract/refused.ts'
import { commitChange } from '../storage/commit.ts'
import { isAlwaysTrue } from '../storage/conditions.ts'
import { clearFailuresInARow } from '../storage/rate-limits.ts'
import { type UserChanges, updateUserIf } from '../storage/user-changes.ts'
import { getUser, hasIdentity, isUser, removeUser, type UserRow } from '../storage/users.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { Dependencies } from './dependencies.ts'
import { afterRevocation, logoutsOf } from './revocation.ts'
import { asTaken } from './uniqueness-refusal.ts'

type UserDependencies = Pick<Dependencies, 'db' | 'deliveries'>

type UserRequest = {
  tenantId: string
  userId: string
  audit: AuditEntry
  /** The address of the request: its origin is the issuer that applications know. */
  url: string
  background(task: () => Promise<unknown>): void
}

/** Changes a user. With `revokedAt` the user's sessions end, too (spec/accounts#revocation). */
export async function changeUser(
  dependencies: UserDependencies,
  { tenantId, userId, changes, audit, url, background }: UserRequest & { changes: UserChanges },
): Promise<UserRow> {
  const { db } = dependencies
  const { revokedAt } = changes
  const revocation = typeof revokedAt === 'number' ? { tenantId, userId, revokedAt } : null
  const { changed, outboxIds } = await commitChange(db, {
    tenantId,
    condition: isUser(tenantId, userId),
    audit: audit.success(),
    statements: {
      changed: updateUserIf(db, tenantId, isAlwaysTrue, userId, changes),
      failures: changes.passwordEncrypted ? clearFailuresInARow(db, tenantId, userId) : undefined,
    },
    outbox: { logouts: revocation ? logoutsOf(revocation, url) : undefined },
  }).catch(asTaken)
  const [user] = changed
  if (user && revocation) background(() => afterRevocation(dependencies, revocation, outboxIds))
  return user ?? refuseWith('entity.not_found')
}

/** Deletes a user and ends the user's sessions; the applications of the sessions receive a logout token. */
export async function deleteUser(
  dependencies: UserDependencies,
  { tenantId, userId, revokedAt, audit, url, background }: UserRequest & { revokedAt: number },
): Promise<void> {
  const { db } = dependencies
  const revocation = { tenantId, userId, revokedAt }
  const { deleted, outboxIds } = await commitChange(db, {
    tenantId,
    condition: isUser(tenantId, userId),
    audit: audit.success(),
    statements: { deleted: removeUser(db, tenantId, userId) },
    outbox: { logouts: logoutsOf(revocation, url) },
  })
  if (deleted.length === 0) refuseWith('entity.not_found')
  background(() => afterRevocation(dependencies, revocation, outboxIds))
}

type IdentityRemoval = { tenantId: string; userId: string; target: string; audit: AuditEntry }

export async function unlinkIdentity(
  { db }: Pick<Dependencies, 'db'>,
  { tenantId, userId, target, audit }: IdentityRemoval,
): Promise<UserRow> {
  const condition = hasIdentity(tenantId, userId, target)
  const { changed } = await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    statements: { changed: updateUserIf(db, tenantId, condition, userId, { removeIdentity: target }) },
  })
  const [user] = changed
  if (user) return user
  await findUserById({ db }, tenantId, userId)
  return refuseWith('user.identity_not_exist', undefined, 404)
}

export const findUserById = async (
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
  id: string,
): Promise<UserRow> => (await getUser(db, tenantId, id)) ?? refuseWith('entity.not_found')
