import { erasureStatements, idDigest } from '../../storage/account/erasures.ts'
import { commitChange } from '../../storage/commit.ts'
import type { Condition } from '../../storage/conditions.ts'
import type { NewLog } from '../../storage/logs.ts'
import { removeUser } from '../../storage/users/users.ts'
import type { Dependencies } from '../dependencies.ts'
import { logoutsOf } from '../sessions/revocation.ts'

type Deletion = {
  tenantId: string
  userId: string
  condition: Condition
  audit: NewLog
  /** Whose origin is the issuer that applications know. */
  url: string
  revokedAt: number
}

/**
 * Deletes a user, on a condition, and leaves what says who it was to the scheduled maintenance (spec/storage#erasure). Null: the
 * condition did not hold, and nothing happened.
 */
export async function eraseUser(
  { db }: Pick<Dependencies, 'db'>,
  { tenantId, userId, condition, audit, url, revokedAt }: Deletion,
): Promise<{ outboxIds: string[] } | null> {
  const digest = await idDigest(tenantId, userId)
  const { deleted, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit,
    statements: {
      ...erasureStatements(db, { tenantId, userId, digest, now: revokedAt, condition }),
      deleted: removeUser(db, tenantId, userId, condition),
    },
    outbox: {
      logouts: logoutsOf({ userId, revokedAt }, url),
      hooksBefore: [{ event: 'User.Deleted', userId, now: revokedAt }],
    },
  })
  return deleted.length > 0 ? { outboxIds } : null
}
