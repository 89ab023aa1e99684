import { commitChange } from '../storage/commit.ts'
import type { NewLog } from '../storage/logs.ts'
import { inSession, isSession, type SessionKey, sessionDeletion } from '../storage/sessions.ts'
import type { Dependencies } from './dependencies.ts'
import { logoutsOf } from './revocation.ts'

/** Ends one session with its grants and tokens. Null when there is no such session. */
export async function revokeSession(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  key: SessionKey,
  { url, audit }: { url: string; audit: NewLog },
): Promise<{ outboxIds: string[] } | null> {
  const revocation = { userId: key.userId, revokedAt: now() }
  const { session, outboxIds } = await commitChange(db, {
    tenantId: key.tenantId,
    condition: isSession(key),
    statements: sessionDeletion(db, key),
    audit,
    outbox: { logouts: logoutsOf(revocation, url, inSession(key.sessionId)) },
  })
  return session.length > 0 ? { outboxIds } : null
}
