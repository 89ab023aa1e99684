import { and, eq, inArray, sql } from 'drizzle-orm'
import { ALWAYS_TRUE } from '../conditions.ts'
import type { Database } from '../database.ts'
import { enqueueLogouts } from '../hooks/outbox-events.ts'
import { oidcModelInstances as models } from '../tables.ts'

/** The applications that are being removed from a session. */
type ForgottenAuthorizations = {
  tenantId: string
  userId: string
  /** The uid of the session. */
  uid: string
  issuer: string
  applicationIds: readonly string[]
  grantIds: readonly string[]
  now: number
}

/**
 * Ends the authorizations of these applications in the same way as when the session ends: the applications receive
 * logout tokens, and their grants are deleted with everything issued under them. The statements run before the session
 * is written, because they read the authorizations from the stored session.
 */
export function endAuthorizations(
  db: Database,
  { tenantId, userId, uid, issuer, applicationIds, grantIds, now }: ForgottenAuthorizations,
) {
  const isTheirs = eq(models.tenantId, tenantId)
  const grants = sql`(select value from json_each(${JSON.stringify(grantIds)}))`
  const sessions = sql`(sessions.uid = ${uid}
    and json_each.key in (select value from json_each(${JSON.stringify(applicationIds)})))`
  return {
    logouts: enqueueLogouts(db, tenantId, ALWAYS_TRUE, { userId, issuer, now, sessions }),
    tokens: db
      .delete(models)
      .where(
        and(
          isTheirs,
          inArray(models.modelName, ['AccessToken', 'RefreshToken', 'AuthorizationCode']),
          sql`${models.grantId} in ${grants}`,
        ),
      ),
    grants: db
      .delete(models)
      .where(and(isTheirs, eq(models.modelName, 'Grant'), sql`${models.id} in ${grants}`)),
  }
}
