import { and, sql } from 'drizzle-orm'
import { ALWAYS_TRUE } from '../conditions.ts'
import type { Database } from '../database.ts'
import { enqueueLogouts } from '../hooks/outbox-events.ts'
import { matchesModelName } from '../interactions/oidc-models.ts'
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
 * logout tokens, and their grants are deleted, which ends everything issued under them. The statements run before the
 * session is written, because they read the authorizations from the stored session.
 */
export function endAuthorizations(
  db: Database,
  { tenantId, userId, uid, issuer, applicationIds, grantIds, now }: ForgottenAuthorizations,
) {
  const grants = sql`(select value from json_each(${JSON.stringify(grantIds)}))`
  const sessions = sql`(sessions.uid = ${uid}
    and json_each.key in (select value from json_each(${JSON.stringify(applicationIds)})))`
  return {
    logouts: enqueueLogouts(db, tenantId, ALWAYS_TRUE, { userId, issuer, now, sessions }),
    grants: db.delete(models).where(and(matchesModelName(tenantId, 'Grant'), sql`${models.id} in ${grants}`)),
  }
}
