import { and, eq, gt, notExists, type SQL, sql } from 'drizzle-orm'
import {
  CONSECUTIVE_FAILURES_LOCK_SECONDS,
  getRateLimit,
  type Limits,
  type RateLimitName,
} from '../contract/rate-limits.ts'
import type { AccountLookup } from '../domain/interactions/accounts.ts'
import { getNetworks, largestNetwork, limitPerNetwork } from '../domain/limits.ts'
import { ALWAYS_TRUE, type Condition } from './conditions.ts'
import {
  accountKey,
  isTrusted,
  keyOf,
  keyPrefix,
  type NameLookup,
  type RequestBrowser,
} from './counter-keys.ts'
import { clearFailures } from './counter-refunds.ts'
import { consumeAttempt, isCounterWithinLimits, type LimitedAttempt } from './counters.ts'
import type { Database } from './database.ts'
import { counters } from './tables.ts'
import { isAccountAmong } from './users/users.ts'

/** An attempt that is subject to a rate limit, and the values from which the keys of its counters are built. */
export type AttemptToCount = { limit: RateLimitName } & (
  | {
      /** The identifier of the account, or the address. */
      name: NameLookup
      /** The accounts that are exempt. An attempt with the name of such an account is not counted. */
      exempt?: readonly AccountLookup[]
    }
  | {
      /** The network address, for limits that count each network separately. */ name: NameLookup
      ip: string | undefined
    }
  | { ip: string | undefined; client?: string }
  | { /** The id of the application, the API caller, the session or the signed-in user. */ id: string }
  | { tenant: true }
)

export type LimitContext = RequestBrowser & {
  limits: Limits
  environment: string
  now: number
  /** If this condition does not hold, nothing is counted and no row is returned. */
  condition?: Condition | undefined
}

/**
 * Counts attempts one after the other in one batch. Once a counter is over its limit, the following counters are left
 * unchanged, so that a blocked network does not use up an account's attempts. A limit is skipped if the account or its
 * trusted browser is exempt from it. A burst limit that is followed by its sustained limit shares a row with it.
 */
export function consumeAttempts(
  db: Database,
  tenantId: string,
  attempts: readonly AttemptToCount[],
  { condition = ALWAYS_TRUE, ...circumstances }: LimitContext,
) {
  const rows = attemptsByRow(attempts)
  return rows.flatMap((row, position) => {
    const isExempt = row.burst ? null : exemption(tenantId, row.sustained, circumstances)
    const precondition = all([
      condition,
      ...rows.slice(0, position).map((earlier) => isRowWithinLimits(tenantId, earlier, circumstances)),
      ...(isExempt ? [sql`not ${isExempt}`] : []),
    ])
    const consumptions = countersOf(tenantId, row, circumstances)
    const withinLimits = consumptions.map((counter) => isCounterWithinLimits(tenantId, counter.key, counter))
    return consumptions.map((counter, index) =>
      consumeAttempt(db, tenantId, {
        ...counter,
        condition: all([precondition, ...withinLimits.slice(0, index)]),
      }),
    )
  })
}

/** Checks that attempts that were counted earlier in this batch were within their limits. */
export const areWithinLimits = (
  tenantId: string,
  attempts: readonly AttemptToCount[],
  circumstances: Omit<LimitContext, 'condition'>,
): Condition => all(attemptsByRow(attempts).map((row) => isRowWithinLimits(tenantId, row, circumstances)))

function isRowWithinLimits(tenantId: string, row: RowAttempt, circumstances: LimitContext): Condition {
  const withinLimits = all(
    countersOf(tenantId, row, circumstances).map((counter) =>
      isCounterWithinLimits(tenantId, counter.key, counter),
    ),
  )
  const isExempt = row.burst ? null : exemption(tenantId, row.sustained, circumstances)
  return isExempt ? sql`(${isExempt} or ${withinLimits})` : withinLimits
}

/** An attempt that is counted towards a burst limit, a sustained limit, or both in one row. */
type RowAttempt =
  | { burst: AttemptToCount; sustained?: AttemptToCount | undefined }
  | { burst?: undefined; sustained: AttemptToCount }

function attemptsByRow(attempts: readonly AttemptToCount[]): RowAttempt[] {
  return attempts.flatMap((attempt, index): RowAttempt[] => {
    const previous = attempts[index - 1]
    if (previous && getRateLimit(previous.limit).burstOf === attempt.limit) return []
    const { burstOf } = getRateLimit(attempt.limit)
    if (!burstOf) return [{ sustained: attempt }]
    const next = attempts[index + 1]
    return [{ burst: attempt, sustained: next?.limit === burstOf ? next : undefined }]
  })
}

/** Returns the condition under which an attempt is exempt, or null if there are no exemptions. */
function exemption(tenantId: string, attempt: AttemptToCount, circumstances: LimitContext): Condition | null {
  if (getRateLimit(attempt.limit).trustedBrowser !== 'exempt') return null
  const isOfBrowser = isTrusted(tenantId, circumstances)
  const { name, exempt = [] } = 'exempt' in attempt ? attempt : {}
  return name && exempt.length > 0
    ? sql`(${isOfBrowser} or ${isAccountAmong(tenantId, name, exempt)})`
    : isOfBrowser
}

const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? ALWAYS_TRUE : sql`(${sql.join([...conditions], sql` and `)})`

/**
 * Returns a query for the locked counters that apply to an attempt, and the condition that there are none. Used to
 * check an attempt without counting it.
 */
export function findLockedCounters(
  db: Database,
  tenantId: string,
  attempt: AttemptToCount,
  circumstances: Omit<LimitContext, 'condition'>,
) {
  const keys = countersOf(tenantId, { sustained: attempt }, circumstances).map(({ key }) => sql`${key}`)
  const query = db
    .select({
      name: sql<RateLimitName>`${attempt.limit}`.as('name'),
      count: sql<number>`1`.as('count'),
      allowed: sql<number>`0`.as('allowed'),
      lockedUntil: counters.lockedUntil,
    })
    .from(counters)
    .where(
      and(
        eq(counters.tenantId, tenantId),
        sql`${counters.key} in (${sql.join(keys, sql`, `)})`,
        gt(counters.lockedUntil, circumstances.now),
      ),
    )
  return { query, condition: notExists(query) }
}

/**
 * Clears the consecutive failures of an account after a correct password or a password change
 * (spec/accounts#failures-in-a-row).
 */
export const clearConsecutiveFailures = (
  db: Database,
  tenantId: string,
  userId: string,
  condition?: Condition,
) => clearFailures(db, tenantId, accountKey('passwordTriesInARow', userId), condition)

type RowCounter = Pick<LimitedAttempt, 'key' | 'burst' | 'sustained' | 'now'>

/** Returns the rows that count an attempt. A limit per network has several. */
function countersOf(tenantId: string, row: RowAttempt, circumstances: LimitContext): RowCounter[] {
  const { limits, environment, now, browser } = circumstances
  const counted = ({ limit: name }: AttemptToCount) => ({
    name,
    limit: limits[name],
    lockSeconds: getRateLimit(name).isInARow ? CONSECUTIVE_FAILURES_LOCK_SECONDS : limits.lockSeconds,
  })
  const attempt = row.burst ?? row.sustained
  const { limit: name } = attempt
  const { key, per } = getRateLimit(name)
  if ('ip' in attempt) {
    const isOfLargest = per === 'largest network' || per === 'address and network'
    const networks = isOfLargest ? [largestNetwork(attempt.ip)] : getNetworks(attempt.ip)
    return networks.map((network) => ({
      key:
        'name' in attempt
          ? keyOf(tenantId, name, { name: attempt.name, network: network.name }, { browser })
          : `${key}/${attempt.client ?? 'network'}/${network.name}`,
      sustained: { ...counted(attempt), limit: limitPerNetwork(limits[name], network.factor, environment) },
      now,
    }))
  }
  const { burst, sustained } = row
  return [
    {
      key: keyOfSubject(tenantId, attempt, circumstances),
      burst: burst && counted(burst),
      sustained: sustained && {
        ...counted(sustained),
        isExempt: burst ? exemption(tenantId, sustained, circumstances) : null,
      },
      now,
    },
  ]
}

function keyOfSubject(
  tenantId: string,
  attempt: Exclude<AttemptToCount, { ip: string | undefined }>,
  { browser }: RequestBrowser,
): string | SQL {
  const { per } = getRateLimit(attempt.limit)
  const prefix = keyPrefix(attempt.limit)
  if ('name' in attempt) return keyOf(tenantId, attempt.limit, attempt, { browser })
  return 'id' in attempt ? `${prefix}/${per.replace(' ', '-')}/${attempt.id}` : `${prefix}/tenant`
}
