import { type SQL, sql } from 'drizzle-orm'
import { getRateLimit, type RateLimitName } from '../contract/rate-limits.ts'
import type { AccountLookup } from '../domain/interactions/accounts.ts'
import { counterName } from '../domain/limits.ts'
import type { Condition } from './conditions.ts'
import { isBrowserTrustedFor, type TrustedBrowser } from './sessions/trusted-browsers.ts'
import { accountIdByName } from './users/users.ts'

/** An identifier that a user can type at sign-in. */
export type NameLookup = Extract<AccountLookup, { by: 'username' | 'email' | 'phone' }>

export type RequestBrowser = {
  /** The browser of the request, and the name of the account for which the browser may be trusted. */
  browser?: { trusted: TrustedBrowser | null; name: NameLookup } | undefined
}

/** Returns the prefix of a limit's keys. A burst limit is counted in the row of its sustained limit. */
export const keyPrefix = (limit: RateLimitName) => getRateLimit(getRateLimit(limit).burstOf ?? limit).key

/** Returns the counter key of an account. */
export const accountKey = (limit: RateLimitName, userId: string) => `${keyPrefix(limit)}/account/${userId}`

/**
 * Returns the counter key for a name that a user typed. All names of an account share the account's key. Any other name
 * has a key derived from the name itself, so that responses do not reveal whether an account exists
 * (spec/accounts#hidden-existence).
 */
export function keyOf(
  tenantId: string,
  limit: RateLimitName,
  { name, network }: { name: NameLookup; network?: string },
  circumstances: RequestBrowser,
): string | SQL {
  const { per, trustedBrowser } = getRateLimit(limit)
  const ofNetwork = network ? `/${network}` : ''
  const typed = `${keyPrefix(limit)}/${name.by}/${counterName({ type: name.by, value: name.value })}${ofNetwork}`
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
export const isTrusted = (tenantId: string, { browser }: RequestBrowser): Condition =>
  browser?.trusted ? isBrowserTrustedFor(tenantId, browser.name, browser.trusted) : sql`false`
