import type { BatchItem } from 'drizzle-orm/batch'
import { deleteSession, inSession, type SessionKey } from '../storage/sessions.ts'
import type { Dependencies } from './dependencies.ts'
import { logoutsOf } from './revocation.ts'

/** One session and what hangs on it, with its audit row, in one batch; null when it was not there. */
export async function revokeSession(
  dependencies: Dependencies,
  key: SessionKey,
  { url, auditRow }: { url: string; auditRow: BatchItem<'sqlite'> },
): Promise<{ waiting: readonly { id: string }[] } | null> {
  const { db, now } = dependencies
  const revocation = { tenantId: key.tenantId, userId: key.userId, revokedAt: now() }
  const [, waiting, , , , ended] = await db.batch([
    auditRow,
    logoutsOf(dependencies, revocation, { condition: inSession(key.sessionId), url }),
    ...deleteSession(db, key),
  ])
  return ended.length > 0 ? { waiting } : null
}
