import { and, eq, type SQL, sql } from 'drizzle-orm'
import { sendBatch } from '../batches.ts'
import type { Database } from '../database.ts'
import { validSinceSecond } from '../interactions/oidc-models.ts'
import { oidcModelInstances as models, users } from '../tables.ts'

/**
 * Builds the statements that delete a user's revoked rows (spec/provider#revocation): sessions and grants up to the
 * second that the provider compares (domain/sessions/revocation.ts), and everything issued under a grant that no longer
 * exists. Revoked rows are already invalid, so they may be deleted after the response.
 */
export const revokedRowDeletions = (db: Database, tenantId: string, accountId: string, revokedAt: number) => {
  const isTheirs = and(eq(models.tenantId, tenantId), eq(models.accountId, accountId))
  return [
    db.delete(models).where(and(isTheirs, hasDateUntil(sql`${revokedAt}`))),
    db.delete(models).where(and(isTheirs, isOrphan)),
  ] as const
}

/** Deletes a user's revoked rows after the response. */
export async function sweepRevokedRows(
  db: Database,
  tenantId: string,
  accountId: string,
  revokedAt: number,
): Promise<void> {
  await sendBatch(db, revokedRowDeletions(db, tenantId, accountId, revokedAt))
}

/**
 * Builds the statements that delete the revoked rows of all users who were revoked since a time, in case the deletion
 * after a response did not happen. They delete at most `limit` rows of each kind.
 */
export const missedRevokedRowDeletions = (
  db: Database,
  { since, limit }: { since: number; limit: number },
) => {
  const deleteSome = (condition: SQL) =>
    db.delete(models).where(
      // CROSS JOIN makes SQLite start with the users, of whom there are few, and find each user's rows using an index.
      sql`rowid in (select ${models}.rowid from ${users} cross join ${models}
        where ${users.revokedAt} > ${since} and ${models.tenantId} = ${users.tenantId}
        and ${models.accountId} = ${users.id} and ${condition} limit ${limit})`,
    )
  return [deleteSome(hasDateUntil(sql`${users.revokedAt}`)), deleteSome(isOrphan)] as const
}

export async function sweepMissedRevokedRows(
  db: Database,
  since: { since: number; limit: number },
): Promise<void> {
  await sendBatch(db, missedRevokedRowDeletions(db, since))
}

const hasDateUntil = (revokedAt: SQL) => sql`${models.modelName} in ('Session', 'Grant')
  and ${validSinceSecond} <= ${revokedAt} / 1000`

const isOrphan = sql`${models.modelName} in ('AccessToken', 'RefreshToken', 'AuthorizationCode')
  and not exists (select 1 from ${models} as grants where grants.tenant_id = ${models.tenantId}
    and grants.model_name = 'Grant' and grants.id = ${models.grantId})`
