import { listStatements, nameRows, type RowsByName, type Statements, sendBatch } from '../batches.ts'
import type { Database } from '../database.ts'
import { type ModelRow, modelByPropertyQuery } from '../interactions/oidc-models.ts'
import { userQuery } from '../interactions/oidc-reads.ts'
import { organizationUseQuery } from '../organisations/own-organizations.ts'
import { requiredLevelQueries } from '../sessions/step-up.ts'
import type { UserRow } from '../users/users.ts'

type OwnQueries = ReturnType<typeof requiredLevelQueries> & {
  organizations: ReturnType<typeof organizationUseQuery>
}
type OwnSessionKey = {
  tenantId: string
  userId: string
  sessionUid: string
  clientId: string
  /** The time of the request, in epoch milliseconds. */
  now: number
}

export type AccountSessionRows<S extends Statements> = RowsByName<OwnQueries> & {
  user: UserRow | undefined
  session: ModelRow | undefined
  rows: RowsByName<S>
}

/**
 * Reads a user, the provider session of the current page, and the results of the statements in `more`, all in one round
 * trip.
 */
export async function readAccountSession<const S extends Statements>(
  db: Database,
  { tenantId, userId, sessionUid, clientId, now }: OwnSessionKey,
  more: S,
): Promise<AccountSessionRows<S>> {
  const own = {
    users: userQuery(db, tenantId, userId),
    sessions: modelByPropertyQuery(db, tenantId, 'Session', 'uid', sessionUid),
    organizations: organizationUseQuery(db, { tenantId, userId }, now),
    ...requiredLevelQueries(db, tenantId, { userId, clientId }),
  }
  const statements = listStatements(own)
  const results = await sendBatch(db, [...statements, ...listStatements(more)])
  const { users, sessions, ...level } = nameRows(own, results)
  return {
    user: users[0],
    session: sessions[0],
    ...level,
    rows: nameRows(more, results.slice(statements.length)),
  }
}
