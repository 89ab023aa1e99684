import { and, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { belongsToAccount, validSinceSecond } from '../interactions/oidc-models.ts'
import { oidcModelInstances as models, users } from '../tables.ts'

/**
 * Deletes a user's revoked sessions and grants (spec/provider#revocation), up to the second that the provider compares
 * (domain/sessions/revocation.ts). Revoked rows are already invalid, so they may be deleted after the response.
 */
export const sweepRevokedRows = (db: Database, tenantId: string, accountId: string, revokedAt: number) =>
  db.delete(models).where(and(belongsToAccount(tenantId, accountId), hasDateUntil(sql`${revokedAt}`)))

/**
 * Deletes the revoked sessions and grants of all users who were revoked since a time, in case the deletion after a
 * response did not happen. Deletes at most `limit` rows.
 */
export const sweepMissedRevokedRows = (db: Database, { since, limit }: { since: number; limit: number }) =>
  db.delete(models).where(
    // CROSS JOIN makes SQLite start with the users, of whom there are few, and find each user's rows using an index.
    sql`rowid in (select ${models}.rowid from ${users} cross join ${models}
      where ${users.revokedAt} > ${since} and ${belongsToAccount(sql`${users.tenantId}`, sql`${users.id}`)}
      and ${hasDateUntil(sql`${users.revokedAt}`)} limit ${limit})`,
  )

const hasDateUntil = (revokedAt: SQL) => sql`${models.modelName} in ('Session', 'Grant')
  and ${validSinceSecond} <= ${revokedAt} / 1000`
