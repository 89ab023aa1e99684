import { type SQL, sql } from 'drizzle-orm'
import type { Limit, Limits } from '../contract/settings.ts'
import type { AccountLookup } from '../domain/accounts.ts'
import { rateLimitName } from '../domain/limits.ts'
import type { Address } from '../domain/passcodes.ts'
import type { Condition } from './conditions.ts'
import { consumeAttempt, isUnlocked, isWithinLimit } from './counters.ts'
import type { Database } from './database.ts'
import { attemptPasscode, isGuessable, type PasscodeAttempt } from './passcodes.ts'
import { isTrustedFor, type TrustedBrowser } from './trusted-browsers.ts'

/** The identifiers that a user can type. */
export type NameLookup = Extract<AccountLookup, { by: 'username' | 'email' | 'phone' }>

type Circumstances = { limits: Limits; browser: TrustedBrowser | null; now: number }

/**
 * Consumes a password attempt (spec/accounts#password-limits). The network is named first, because `byName` asks it: a
 * network that guesses everywhere does not use up the attempts of any account. A trusted browser consumes nothing of its
 * network, so that its user can sign in beside a guesser.
 */
export function passwordAttempt(
  db: Database,
  tenantId: string,
  given: Circumstances & { name: NameLookup; network: string; networkLimit: Limit },
) {
  const { name, network, networkLimit, limits, browser, now } = given
  const key = `password/network/${network}`
  const isTrusted = browser ? isTrustedFor(tenantId, name, browser) : sql`false`
  return {
    byNetwork: consumeAttempt(db, tenantId, {
      key,
      limit: networkLimit,
      lockSeconds: limits.lockSeconds,
      now,
      condition: sql`not ${isTrusted}`,
    }),
    byName: namedPasswordAttempt(db, tenantId, {
      ...given,
      condition: sql`(${isTrusted} or ${isWithinLimit(tenantId, key, networkLimit)})`,
    }),
  }
}

export const namedPasswordAttempt = (
  db: Database,
  tenantId: string,
  { name, limits, browser, now, condition }: Circumstances & { name: NameLookup; condition?: Condition },
) =>
  consumeAttempt(db, tenantId, {
    key: keyOf('password', tenantId, name, browser),
    limit: limits.passwordTries,
    lockSeconds: limits.lockSeconds,
    now,
    ...(condition && { condition }),
  })

/** Consumes an attempt at a code, if there is one to guess: wrong ones are counted by the day (spec/accounts#code-try-limits). */
export function codeAttempt(
  db: Database,
  tenantId: string,
  { tried, limits, browser, now }: Circumstances & { tried: PasscodeAttempt },
) {
  const { type, value } = tried.address
  const key = keyOf('code', tenantId, { by: type, value }, browser)
  const limit = limits.codeTriesPerAddress
  return {
    byAddress: consumeAttempt(db, tenantId, {
      key,
      limit,
      lockSeconds: limits.lockSeconds,
      now,
      condition: isGuessable(tenantId, tried),
    }),
    attempt: attemptPasscode(db, tenantId, { ...tried, condition: isUnlocked(tenantId, key, limit, now) }),
  }
}

/** The user who is signed in proves the password again: a counter of its own, so that a stolen token bars no sign-in. */
export const ownPasswordAttempt = (
  db: Database,
  tenantId: string,
  { userId, limits, now }: { userId: string; limits: Limits; now: number },
) =>
  consumeAttempt(db, tenantId, {
    key: `password/account/${userId}`,
    limit: limits.passwordTries,
    lockSeconds: limits.lockSeconds,
    now,
  })

/**
 * Consumes the sending of a code (spec/accounts#code-send-limits). The network is named first: one that may not send any
 * more does not use up the limit of an address.
 */
export function codeSending(
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
  return {
    byNetwork: consumeAttempt(db, tenantId, { key: networkKey, limit: networkLimit, lockSeconds, now }),
    byAddress: consumeAttempt(db, tenantId, {
      key: keyOf('send', tenantId, { by: type, value }, browser),
      limit: limits.codeSendsPerAddress,
      lockSeconds,
      now,
      condition: isWithinLimit(tenantId, networkKey, networkLimit),
    }),
  }
}

/** The same statement whether or not there is an account (spec/accounts#hidden-existence). */
function keyOf(
  what: 'password' | 'code' | 'send',
  tenantId: string,
  name: NameLookup,
  browser: TrustedBrowser | null,
): string | SQL {
  const shared = `${what}/${name.by}/${rateLimitName({ type: name.by, value: name.value })}`
  if (!browser) return shared
  const own = `${shared}/${browser.id}`
  return sql`case when ${isTrustedFor(tenantId, name, browser)} then ${own} else ${shared} end`
}
