import { and, eq, type SQL, sql } from 'drizzle-orm'
import { sendBatch } from '../batches.ts'
import type { Database } from '../database.ts'
import { standingSecond } from '../interactions/oidc-models.ts'
import { oidcModelInstances as models, users } from '../tables.ts'

/**
 * Deletes what was revoked with its user (spec/provider#revocation): sessions and grants by the second that the provider
 * checks them by (domain/sessions/revocation.ts), and everything issued under a grant that is gone. These rows have no effect
 * any more, wherever they are read, so this may happen after the answer.
 */
export const revokedDeletions = (db: Database, tenantId: string, accountId: string, revokedAt: number) => {
  const isTheirs = and(eq(models.tenantId, tenantId), eq(models.accountId, accountId))
  return [
    db.delete(models).where(and(isTheirs, hasDateUntil(sql`${revokedAt}`))),
    db.delete(models).where(and(isTheirs, isOrphan)),
  ] as const
}

/** Runs after the answer of a revocation. */
export async function sweepRevoked(
  db: Database,
  tenantId: string,
  accountId: string,
  revokedAt: number,
): Promise<void> {
  await sendBatch(db, revokedDeletions(db, tenantId, accountId, revokedAt))
}

/** The same for all users revoked since then, in case the work after an answer was lost. At most `limit` rows of each kind. */
export const missedRevokedDeletions = (db: Database, { since, limit }: { since: number; limit: number }) => {
  const some = (condition: SQL) =>
    db.delete(models).where(
      // CROSS JOIN: from the few users to their rows, each by its index.
      sql`rowid in (select ${models}.rowid from ${users} cross join ${models}
        where ${users.revokedAt} > ${since} and ${models.tenantId} = ${users.tenantId}
        and ${models.accountId} = ${users.id} and ${condition} limit ${limit})`,
    )
  return [some(hasDateUntil(sql`${users.revokedAt}`)), some(isOrphan)] as const
}

export async function sweepMissedRevoked(
  db: Database,
  since: { since: number; limit: number },
): Promise<void> {
  await sendBatch(db, missedRevokedDeletions(db, since))
}

const hasDateUntil = (revokedAt: SQL) => sql`${models.modelName} in ('Session', 'Grant')
  and ${standingSecond} <= ${revokedAt} / 1000`

const isOrphan = sql`${models.modelName} in ('AccessToken', 'RefreshToken', 'AuthorizationCode')
  and not exists (select 1 from ${models} as grants where grants.tenant_id = ${models.tenantId}
    and grants.model_name = 'Grant' and grants.id = ${models.grantId})`
