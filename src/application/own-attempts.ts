import type { RateLimitName } from '../contract/rate-limits.ts'
import { orRefuse } from '../contract/refused.ts'
import { refusesAttempts } from '../domain/limits.ts'
import { readTogether } from '../storage/batches.ts'
import { consumeAttempts } from '../storage/rate-limits.ts'
import type { Dependencies } from './dependencies.ts'

type OwnLimit = Extract<RateLimitName, `own${string}`>

/** What signed-in users may do so often (spec/accounts#rate-limits), counted in a round trip of its own. */
export async function countOwnAttempt(
  { db, now, settings, tenantSettings }: Pick<Dependencies, 'db' | 'now' | 'settings' | 'tenantSettings'>,
  tenantId: string,
  attempt: { limit: OwnLimit; id: string },
): Promise<void> {
  const { limits } = await tenantSettings.get(tenantId)
  const at = now()
  const given = { limits, environment: settings.environment, now: at }
  const { consumed } = await readTogether(db, { consumed: consumeAttempts(db, tenantId, [attempt], given) })
  orRefuse(refusesAttempts(consumed, at))
}
