import { type SQL, sql } from 'drizzle-orm'
import type { Limit, Limits } from '../contract/settings.ts'
import type { AccountLookup } from '../domain/accounts.ts'
import { normalised } from '../domain/limits.ts'
import type { Address } from '../domain/passcodes.ts'
import { consume, isOpen, isWithin } from './counters.ts'
import type { Database } from './database.ts'
import { isGuessable, type PasscodeTry, tryPasscode } from './passcodes.ts'
import { isAmong } from './users.ts'

/**
 * Which counters a try of a password and the sending of a code are charged to (decision 16): one per identifier, one
 * per network. A browser in which somebody signed in before has, for that account, a counter of its own, so that
 * nobody can use up what the account's owner needs.
 */
export type TrustedBrowser = { id: string; userIds: string[] }

/** By its name; the id of an account and social identities are nothing anybody could type. */
export type NameLookup = Extract<AccountLookup, { by: 'username' | 'email' | 'phone' }>

type Circumstances = { limits: Limits; browser: TrustedBrowser | null; now: number }

export const passwordTry = (
  db: Database,
  tenantId: string,
  { name, limits, browser, now, condition }: Circumstances & { name: NameLookup; condition?: SQL },
) =>
  consume(db, tenantId, {
    key: keyOf('password', tenantId, name, browser),
    limit: limits.passwordTries,
    lockSeconds: limits.lockSeconds,
    now,
    ...(condition && { condition }),
  })

/**
 * The network pays first, so that one that guesses everywhere uses up nobody's allowance. Nothing is charged to it by a
 * browser that the account knows: whoever shares a network with a guesser gets in where they got in before.
 */
export function passwordTries(
  db: Database,
  tenantId: string,
  given: Circumstances & { name: NameLookup; network: string; networkLimit: Limit },
) {
  const { name, network, networkLimit, limits, browser, now } = given
  const key = `password/network/${network}`
  const isKnown = browser ? isAmong(tenantId, name, browser.userIds) : sql`false`
  return [
    consume(db, tenantId, {
      key,
      limit: networkLimit,
      lockSeconds: limits.lockSeconds,
      now,
      condition: sql`not ${isKnown}`,
    }),
    passwordTry(db, tenantId, {
      ...given,
      condition: sql`(${isKnown} or ${isWithin(tenantId, key, networkLimit)})`,
    }),
  ] as const
}

/** A code that is typed, where there is one to guess: wrong ones are counted by the day, whichever code it was. */
export function codeTry(
  db: Database,
  tenantId: string,
  { tried, limits, browser, now }: Circumstances & { tried: PasscodeTry },
) {
  const { type, value } = tried.address
  const key = keyOf('code', tenantId, { by: type, value }, browser)
  const limit = limits.codeTriesPerAddress
  return [
    consume(db, tenantId, {
      key,
      limit,
      lockSeconds: limits.lockSeconds,
      now,
      condition: isGuessable(tenantId, tried),
    }),
    tryPasscode(db, tenantId, { ...tried, condition: isOpen(tenantId, key, limit, now) }),
  ] as const
}

/** The same by name: for `open.rowAnd` and `readTogether`. `byNetwork` stands first, because `byName` asks it. */
export function passwordAttempt(...given: Parameters<typeof passwordTries>) {
  const [byNetwork, byName] = passwordTries(...given)
  return { byNetwork, byName }
}

/** The same by name. */
export function codeAttempt(...given: Parameters<typeof codeTry>) {
  const [byAddress, attempt] = codeTry(...given)
  return { byAddress, attempt }
}

/** The same by name. */
export function codeSending(...given: Parameters<typeof codeSend>) {
  const [byNetwork, byAddress] = codeSend(...given)
  return { byNetwork, byAddress }
}

/** Of who is signed in and shows it again: a counter of its own, so that whoever stole a token bars no sign-in. */
export const ownPasswordTry = (
  db: Database,
  tenantId: string,
  { userId, limits, now }: { userId: string; limits: Limits; now: number },
) =>
  consume(db, tenantId, {
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
    consume(db, tenantId, { key: networkKey, limit: networkLimit, lockSeconds, now }),
    consume(db, tenantId, {
      key: keyOf('send', tenantId, { by: type, value }, browser),
      limit: limits.codeSendsPerAddress,
      lockSeconds,
      now,
      condition: isWithin(tenantId, networkKey, networkLimit),
    }),
  ] as const
}

/** The same statement whether or not there is an account (decision 17). */
function keyOf(what: string, tenantId: string, name: NameLookup, browser: TrustedBrowser | null) {
  const shared = `${what}/${name.by}/${normalised({ type: name.by, value: name.value })}`
  if (!browser) return shared
  const own = `${shared}/${browser.id}`
  return sql`case when ${isAmong(tenantId, name, browser.userIds)} then ${own} else ${shared} end`
}
