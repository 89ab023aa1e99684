import { and, eq, gt, notExists, type SQL, sql } from 'drizzle-orm'
import {
  CONSECUTIVE_FAILURES_LOCK_SECONDS,
  getRateLimit,
  type Limit,
  type Limits,
  type RateLimitName,
} from '../contract/rate-limits.ts'
import type { AccountLookup } from '../domain/interactions/accounts.ts'
import { counterName, getNetworks, largestNetwork, limitPerNetwork } from '../domain/limits.ts'
import { ALWAYS_TRUE, type Condition } from './conditions.ts'
import { consumeAttempt, isCounterWithinLimit } from './counters.ts'
import type { Database } from './database.ts'
import { isBrowserTrustedFor, type TrustedBrowser } from './sessions/trusted-browsers.ts'
import { counters } from './tables.ts'
import { accountIdByName, isAccountAmong } from './users/users.ts'

/** An identifier that a user can type at sign-in. */
export type NameLookup = Extract<AccountLookup, { by: 'username' | 'email' | 'phone' }>

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

export type LimitContext = {
  limits: Limits
  environment: string
  now: number
  /** The browser of the request, and the name of the account for which the browser may be trusted. */
  browser?: { trusted: TrustedBrowser | null; name: NameLookup } | undefined
  /** If this condition does not hold, nothing is counted and no row is returned. */
  condition?: Condition | undefined
}

/**
 * Counts attempts one after the other in one batch. Once a counter is over its limit, the following counters are left
 * unchanged, so that a blocked network does not use up an account's attempts. A limit is skipped if the account or its
 * trusted browser is exempt from it.
 */
export function consumeAttempts(
  db: Database,
  tenantId: string,
  attempts: readonly AttemptToCount[],
  { condition = ALWAYS_TRUE, ...circumstances }: LimitContext,
) {
  return attempts.flatMap((attempt, position) => {
    const isExempt = exemption(tenantId, attempt, circumstances)
    const precondition = all([
      condition,
      areWithinLimits(tenantId, attempts.slice(0, position), circumstances),
      ...(isExempt ? [sql`not ${isExempt}`] : []),
    ])
    const { consumptions, withinLimits } = limitsOf(tenantId, attempt, circumstances)
    return consumptions.map((consumption, index) =>
      consumeAttempt(db, tenantId, {
        ...consumption,
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
): Condition =>
  all(
    attempts.map((attempt) => {
      const isExempt = exemption(tenantId, attempt, circumstances)
      const { withinLimits } = limitsOf(tenantId, attempt, circumstances)
      return isExempt ? sql`(${isExempt} or ${all(withinLimits)})` : all(withinLimits)
    }),
  )

function limitsOf(tenantId: string, attempt: AttemptToCount, circumstances: Omit<LimitContext, 'condition'>) {
  const consumptions = countersOf(tenantId, attempt, circumstances)
  return {
    consumptions,
    withinLimits: consumptions.map(({ key, limit }) => isCounterWithinLimit(tenantId, key, limit)),
  }
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
  const keys = countersOf(tenantId, attempt, circumstances).map(({ key }) => sql`${key}`)
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
  condition: Condition = ALWAYS_TRUE,
) =>
  db
    .delete(counters)
    .where(
      and(
        eq(counters.tenantId, tenantId),
        eq(counters.key, accountKey('passwordTriesInARow', userId)),
        condition,
      ),
    )

/** Returns the counter key of a limit per address. */
export const addressKey = (
  tenantId: string,
  limit: RateLimitName,
  circumstances: Pick<LimitContext, 'browser'> & { name: NameLookup },
): string | SQL => keyOf(tenantId, limit, circumstances, circumstances)

type Counters = { name: RateLimitName; key: string | SQL; limit: Limit; lockSeconds: number; now: number }

function countersOf(
  tenantId: string,
  attempt: AttemptToCount,
  { limits, environment, now, browser }: Omit<LimitContext, 'condition'>,
): Counters[] {
  const { limit: name } = attempt
  const { key, per, isInARow } = getRateLimit(name)
  const limit = limits[name]
  const shared = { name, lockSeconds: isInARow ? CONSECUTIVE_FAILURES_LOCK_SECONDS : limits.lockSeconds, now }
  if ('ip' in attempt) {
    const isOfLargest = per === 'largest network' || per === 'address and network'
    const networks = isOfLargest ? [largestNetwork(attempt.ip)] : getNetworks(attempt.ip)
    return networks.map((network) => ({
      ...shared,
      key:
        'name' in attempt
          ? keyOf(tenantId, name, { name: attempt.name, network: network.name }, { browser })
          : `${key}/${attempt.client ?? 'network'}/${network.name}`,
      limit: limitPerNetwork(limit, network.factor, environment),
    }))
  }
  if ('name' in attempt) return [{ ...shared, key: keyOf(tenantId, name, attempt, { browser }), limit }]
  if ('id' in attempt) return [{ ...shared, key: `${key}/${per.replace(' ', '-')}/${attempt.id}`, limit }]
  return [{ ...shared, key: `${key}/tenant`, limit }]
}

const accountKey = (limit: RateLimitName, userId: string) => `${getRateLimit(limit).key}/account/${userId}`

/**
 * Returns the counter key for a name that a user typed. All names of an account share the account's key. Any other name
 * has a key derived from the name itself, so that responses do not reveal whether an account exists
 * (spec/accounts#hidden-existence).
 */
function keyOf(
  tenantId: string,
  limit: RateLimitName,
  { name, network }: { name: NameLookup; network?: string },
  circumstances: Pick<LimitContext, 'browser'>,
): string | SQL {
  const { key, per, trustedBrowser } = getRateLimit(limit)
  const ofNetwork = network ? `/${network}` : ''
  const typed = `${key}/${name.by}/${counterName({ type: name.by, value: name.value })}${ofNetwork}`
  const { trusted } = circumstances.browser ?? {}
  const own = trusted && trustedBrowser === 'own counter' ? `/${trusted.id}` : null
  const isOwn = isTrusted(tenantId, circumstances)
  if (per === 'account') {
    const suffix = own ? sql`case when ${isOwn} then ${own} else '' end` : sql`''`
    return sql`coalesce(${accountKey(limit, '')} || ${accountIdByName(tenantId, name)} || ${suffix}, ${typed})`
  }
  return own ? sql`case when ${isOwn} then ${typed + own} else ${typed} end` : typed
}

/**
 * Checks whether the browser is trusted for the account of an attempt. The statement does not depend on whether the
 * account exists.
 */
const isTrusted = (tenantId: string, { browser }: Pick<LimitContext, 'browser'>): Condition =>
  browser?.trusted ? isBrowserTrustedFor(tenantId, browser.name, browser.trusted) : sql`false`
