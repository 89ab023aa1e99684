import { sql } from 'drizzle-orm'
import type { Limit, Limits } from '../contract/settings.ts'
import type { AccountLookup } from '../domain/accounts.ts'
import { normalised } from '../domain/limits.ts'
import type { Address } from '../domain/passcodes.ts'
import { charge, isWithin } from './counters.ts'
import type { Database } from './database.ts'
import { isAmong } from './users.ts'

/**
 * Which counters a try of a password and the sending of a code are charged to (decision 16): one per identifier, one
 * per network. A browser in which somebody signed in before has, for that account, a counter of its own, so that
 * nobody can use up what the account's owner needs.
 */
export type KnownBrowser = { id: string; userIds: string[] }

/** By its name; the id of an account and social identities are nothing anybody could type. */
export type NameLookup = Extract<AccountLookup, { by: 'username' | 'email' | 'phone' }>

type Circumstances = { limits: Limits; browser: KnownBrowser | null; now: number }

export const passwordTry = (
  db: Database,
  tenantId: string,
  { name, limits, browser, now }: Circumstances & { name: NameLookup },
) =>
  charge(db, tenantId, {
    key: keyOf('password', tenantId, name, browser),
    limit: limits.passwordTries,
    lockSeconds: limits.lockSeconds,
    now,
  })

/** Of who is signed in and shows it again: a counter of its own, so that whoever stole a token bars no sign-in. */
export const ownPasswordTry = (
  db: Database,
  tenantId: string,
  { userId, limits, now }: { userId: string; limits: Limits; now: number },
) =>
  charge(db, tenantId, {
    key: `password/account/${userId}`,
    limit: limits.passwordTries,
    lockSeconds: limits.lockSeconds,
    now,
  })

/** The network pays first: one that may not send any more uses up nobody's address. */
export function codeSend(
  db: Database,
  tenantId: string,
  {
    address: { type, value },
    network,
    networkLimit,
    limits,
    browser,
    now,
  }: Circumstances & { address: Address; network: string; networkLimit: Limit },
) {
  const networkKey = `send/network/${network}`
  const { lockSeconds } = limits
  return [
    charge(db, tenantId, { key: networkKey, limit: networkLimit, lockSeconds, now }),
    charge(db, tenantId, {
      key: keyOf('send', tenantId, { by: type, value }, browser),
      limit: limits.codeSendsPerAddress,
      lockSeconds,
      now,
      condition: isWithin(tenantId, networkKey, networkLimit),
    }),
  ] as const
}

/** The same statement whether or not there is an account (decision 17). */
function keyOf(what: string, tenantId: string, name: NameLookup, browser: KnownBrowser | null) {
  const shared = `${what}/${name.by}/${normalised({ type: name.by, value: name.value })}`
  if (!browser) return shared
  const own = `${shared}/${browser.id}`
  return sql`case when ${isAmong(tenantId, name, browser.userIds)} then ${own} else ${shared} end`
}
