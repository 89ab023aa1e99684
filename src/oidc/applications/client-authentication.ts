import { errors, type Provider } from 'oidc-provider'
import type { Limits } from '../../contract/rate-limits.ts'
import { type ConsumedAttempt, checkAttempts } from '../../domain/limits.ts'
import { readTogether } from '../../storage/batches.ts'
import type { Database } from '../../storage/database.ts'
import { type AttemptToCount, consumeAttempts, lockedCounters } from '../../storage/rate-limits.ts'
import { providerRequest } from '../request-context.ts'

export type ClientLimitParts = {
  db: Database
  environment: string
  /** The tenant's. */
  limits(): Promise<Limits>
}

/** More failed authentications of a client than its limit allows, from this network (spec/provider#client-authentication). */
export class TooManyClientTries extends errors.OIDCProviderError {
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super(429, 'temporarily_unavailable')
    this.error_description = 'too many failed client authentications'
    this.retryAfter = retryAfter
  }
}

/**
 * Counts wrong client secrets per client and network. A wrong one is counted at once. After a right one, the next call of
 * the database that the request makes anyway asks whether the counters refuse: a guess that turns out right while they do
 * is answered like a wrong one, and the request needs no further round trip.
 */
export function limitClientAuthentication(provider: Provider, { db, environment, limits }: ClientLimitParts) {
  const { prototype } = provider.Client
  const original = prototype.compareClientSecret

  prototype.compareClientSecret = async function compare(actual) {
    const { tenantId, ip, work, now } = providerRequest()
    const at = now()
    const circumstances = { limits: await limits(), environment, now: at }
    const attempt: AttemptToCount = { limit: 'clientTriesPerNetwork', ip, client: this.clientId }

    if (await original.call(this, actual)) {
      work.guard({
        ...lockedCounters(db, tenantId, attempt, circumstances),
        // Rows of its query.
        refusalOf: (rows) => asError(rows as ConsumedAttempt[], at),
      })
      return true
    }
    const { consumed } = await readTogether(db, {
      consumed: consumeAttempts(db, tenantId, [attempt], circumstances),
    })
    const refusal = asError(consumed, at)
    if (refusal) work.refuse(refusal)
    return false
  }
}

function asError(consumed: readonly ConsumedAttempt[], now: number): TooManyClientTries | null {
  const refusal = checkAttempts(consumed, now)
  return refusal && new TooManyClientTries(Number(refusal.data?.retryAfter))
}
