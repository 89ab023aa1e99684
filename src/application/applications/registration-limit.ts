import { refusesAttempts } from '../../domain/limits.ts'
import { readTogether } from '../../storage/batches.ts'
import { consumeAttempts } from '../../storage/rate-limits.ts'
import type { Dependencies } from '../dependencies.ts'

/** Seconds after which a network may try again; null where it may now. */
export async function countRegistration(
  { db, settings, tenantSettings, now }: Pick<Dependencies, 'db' | 'settings' | 'tenantSettings' | 'now'>,
  { tenantId, ip }: { tenantId: string; ip: string | undefined },
): Promise<number | null> {
  const { limits } = await tenantSettings.get(tenantId)
  const given = { limits, environment: settings.environment, now: now() }
  const attempt = { limit: 'clientRegistrationsPerNetwork', ip } as const
  const { consumed } = await readTogether(db, { consumed: consumeAttempts(db, tenantId, [attempt], given) })
  const refusal = refusesAttempts(consumed, given.now)
  return refusal ? Number(refusal.data?.retryAfter) : null
}
