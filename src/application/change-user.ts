import { refuseWith } from '../contract/refused.ts'
import { commit } from '../storage/commit.ts'
import { always } from '../storage/conditions.ts'
import { getUser, isUser, type UserChanges, type UserRow, updateUserIf } from '../storage/users.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { Dependencies } from './dependencies.ts'
import { afterRevocation, logoutsOf } from './revocation.ts'
import { asTaken } from './uniqueness-refusal.ts'

type UserChange = {
  tenantId: string
  userId: string
  changes: UserChanges
  audit: AuditEntry
  /** The address of the request: its origin is the issuer that applications know. */
  url: string
  background(task: () => Promise<unknown>): void
}

/** Changes a user. With `revokedAt` the user's sessions end, too (spec/accounts#revocation). */
export async function changeUser(
  dependencies: Pick<Dependencies, 'db' | 'deliveries'>,
  { tenantId, userId, changes, audit, url, background }: UserChange,
): Promise<UserRow> {
  const { db } = dependencies
  const { revokedAt } = changes
  const revocation = typeof revokedAt === 'number' ? { tenantId, userId, revokedAt } : null
  const {
    user: [changed],
    outboxIds,
  } = await commit(db, {
    tenantId,
    condition: isUser(tenantId, userId),
    statements: { user: updateUserIf(db, tenantId, always, userId, changes) },
    audit: audit.success(),
    outbox: { logouts: revocation ? logoutsOf(revocation, url) : undefined },
  }).catch(asTaken)
  if (changed && revocation) background(() => afterRevocation(dependencies, revocation, outboxIds))
  return changed ?? refuseWith('entity.not_found')
}

export const userOf = async (
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
  id: string,
): Promise<UserRow> => (await getUser(db, tenantId, id)) ?? refuseWith('entity.not_found')
