import { type Client, errors, type Provider } from 'oidc-provider'
import type { Limits } from '../../contract/rate-limits.ts'
import { type ConsumedAttempt, checkAttempts } from '../../domain/limits.ts'
import { readTogether } from '../../storage/batches.ts'
import type { Database } from '../../storage/database.ts'
import { type AttemptToCount, consumeAttempts, findLockedCounters } from '../../storage/rate-limits.ts'
import { getProviderRequest } from '../request-context.ts'

export type ClientLimitDependencies = {
  db: Database
  environment: string
  /** Returns the tenant's limits. */
  limits(): Promise<Limits>
}

/**
 * The error for a client that exceeds the limit of failed authentications from one network
 * (spec/provider#client-authentication).
 */
export class TooManyClientAttempts extends errors.OIDCProviderError {
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super(429, 'temporarily_unavailable')
    this.error_description = 'too many failed client authentications'
    this.retryAfter = retryAfter
  }
}

/**
 * Limits wrong client secrets per client and network. A wrong secret is counted at once. If the secret is correct, the
 * request's next database call also checks the counters. A correct guess over the limit is thus rejected like a wrong
 * one, without an additional round trip.
 */
export function limitClientAuthentication(
  provider: Provider,
  { db, environment, limits }: ClientLimitDependencies,
) {
  const { prototype } = provider.Client
  const original = prototype.compareClientSecret

  prototype.compareClientSecret = async function compare(actual) {
    const request = getProviderRequest()
    const { tenantId, ip, work, now } = request
    const attemptedAt = now()
    const context = { limits: await limits(), environment, now: attemptedAt }
    const attempt: AttemptToCount = { limit: 'clientTriesPerNetwork', ip, client: this.clientId }

    // There are always two comparisons, so the time does not depend on which secrets there are. The library pads both
    // secrets with NUL characters before it compares them, so a secret followed by NUL characters would be equal to the
    // secret. No secret contains a control character (RFC 6749 §A.2).
    const { value, expiresAt } = previousSecretOf(this)
    const isCurrent = await original.call(this, actual)
    const isPrevious = await original.call(Object.create(this, { clientSecret: { value } }), actual)
    const isAccepted = isCurrent || (isPrevious && expiresAt > attemptedAt)
    if (isAccepted && !/\p{Cc}/u.test(actual)) {
      request.clientSecret = actual
      work.guard({
        ...findLockedCounters(db, tenantId, attempt, context),
        // The cast is safe, because the guard's query returns counters.
        refusalOf: (rows) => asError(rows as ConsumedAttempt[], attemptedAt),
      })
      return true
    }
    const { consumed } = await readTogether(db, {
      consumed: consumeAttempts(db, tenantId, [attempt], context),
    })
    const refusal = asError(consumed, attemptedAt)
    if (refusal) work.refuse(refusal)
    return false
  }
}

/** A client without a previous secret has an expired one. */
const previousSecretOf = ({ previousSecret }: Client) =>
  (previousSecret ?? { value: '', expiresAt: 0 }) as { value: string; expiresAt: number }

function asError(consumed: readonly ConsumedAttempt[], now: number): TooManyClientAttempts | null {
  const refusal = checkAttempts(consumed, now)
  return refusal && new TooManyClientAttempts(Number(refusal.data?.retryAfter))
}
