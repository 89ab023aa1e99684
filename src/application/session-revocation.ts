import type { BatchItem } from 'drizzle-orm/batch'
import type { Services } from '../env.ts'
import { deleteSession, inSession, type SessionKey } from '../storage/sessions.ts'
import { logoutsOf } from './revocation.ts'

/** One session and what hangs on it, with its audit row, in one batch; null when it was not there. */
export async function revokeSession(
  services: Services,
  key: SessionKey,
  { url, auditRow }: { url: string; auditRow: BatchItem<'sqlite'> },
): Promise<{ waiting: readonly { id: string }[] } | null> {
  const { db, now } = services
  const revocation = { tenantId: key.tenantId, userId: key.userId, revokedAt: now() }
  const [, waiting, , , , ended] = await db.batch([
    auditRow,
    logoutsOf(services, revocation, { condition: inSession(key.sessionId), url }),
    ...deleteSession(db, key),
  ])
  return ended.length > 0 ? { waiting } : null
}
