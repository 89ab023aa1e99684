import { refuseWith } from '../../contract/refused.ts'
import { commitChange } from '../../storage/commit.ts'
import { inSession, isSession, type SessionKey, sessionDeletion } from '../../storage/sessions/sessions.ts'
import { type OwnCall, tellOwn } from '../account/own-call.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'
import { sessionEnded } from '../hooks/access-events.ts'
import { logoutsOf } from './revocation.ts'

type Ending = {
  url: string
  audit: AuditEntry
  own?: OwnCall
  background(task: () => Promise<unknown>): void
}

/** Ends one session with its grants and tokens. */
export async function revokeSession(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  key: SessionKey,
  { url, audit, own, background }: Ending,
): Promise<void> {
  const { db, now, deliveries } = dependencies
  const told = tellOwn(dependencies, key.tenantId, own)
  const entry = audit.success()
  const revocation = { userId: key.userId, revokedAt: now() }
  const { session, outboxIds } = await commitChange(db, {
    tenantId: key.tenantId,
    condition: isSession(key),
    statements: sessionDeletion(db, key),
    audit: entry,
    outbox: {
      ...told.outbox(sessionEnded(key.sessionId), entry),
      logouts: logoutsOf(revocation, url, inSession(key.sessionId)),
    },
  })
  if (session.length === 0) refuseWith('entity.not_found')
  if (own) told.send(outboxIds)
  else background(() => deliveries.send(key.tenantId, outboxIds))
}
