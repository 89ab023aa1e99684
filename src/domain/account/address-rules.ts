/** The rules for changing the addresses of an account (spec/account-centre#addresses). */

import type { Experience } from '../../contract/experience/experience.ts'
import { DAY, HOUR } from '../../contract/time.ts'
import { RECENT_FACTOR_PERIOD } from '../factors/factor-age.ts'
import { type Account, toAsciiLowerCase } from '../interactions/accounts.ts'
import { findRemainingSignInOption, type SignInOption } from '../interactions/ways-to-sign-in.ts'

export type AddressType = 'email' | 'phone'

/**
 * The time for which the owner of the old address can undo an address change. We chose a period that covers a weekend.
 */
export const UNDO_LIFETIME = 72 * HOUR

/**
 * The owner of an address can undo its replacement only if the account had the address for at least this long. A newer
 * address may belong to someone who has taken over the account. Our choice.
 */
export const UNDO_MIN_ADDRESS_AGE = 30 * DAY

/** Credentials that are added within this time after an account's creation are attributed to its owner. Our choice. */
const SETTING_UP = HOUR

/**
 * Returns the cutoff for undoing an address change, in epoch milliseconds. Credentials added since then are removed,
 * because whoever changed the address may have had access for up to `UNDO_MIN_ADDRESS_AGE` before the change
 * (ADR-0097).
 */
export function undoCutoff({ changedAt, createdAt }: { changedAt: number; createdAt: number }): number {
  return ownedSince(changedAt - UNDO_MIN_ADDRESS_AGE, { at: changedAt, createdAt })
}

/**
 * Returns the cutoff for a password reset, in epoch milliseconds. Credentials added since then are removed, because
 * whoever added them may have known only the old password (ADR-0154).
 */
export const resetCutoff = ({ at, createdAt }: { at: number; createdAt: number }): number =>
  ownedSince(at - RECENT_FACTOR_PERIOD, { at, createdAt })

/**
 * Returns the later of `since` and the end of the account's first hour, but at most `at`. All times are in epoch
 * milliseconds.
 */
const ownedSince = (since: number, { at, createdAt }: { at: number; createdAt: number }): number =>
  Math.min(at, Math.max(since, createdAt + SETTING_UP))

type Offered = Parameters<typeof findRemainingSignInOption>[2] & Pick<Experience, 'forgotPassword' | 'signUp'>

/**
 * The result of checking whether an address can be removed. `obstacle` is the reason why it cannot: the address is the
 * last sign-in method, the next sign-in would ask for it, or nothing else can reset a forgotten password. If there is
 * no obstacle, the other fields are conditions that must still hold when the address is removed.
 */
export type AddressRemoval =
  | { obstacle: 'lastWay' | 'required' | 'recovery' }
  | { obstacle: null; option: SignInOption; other: AddressType | null }

export function checkAddressRemoval(type: AddressType, account: Account, offered: Offered): AddressRemoval {
  const option = findRemainingSignInOption({ identifier: type }, account, offered)
  if (!option) return { obstacle: 'lastWay' }
  const other = type === 'email' ? 'phone' : 'email'
  const { identifiers } = offered.signUp
  const isOtherEnough = identifiers.includes(other) && account[other] !== null
  const isRequired = identifiers.includes(type)
  if (isRequired && !isOtherEnough) return { obstacle: 'required' }
  const { forgotPassword } = offered
  const resets = account.hasPassword && forgotPassword[type]
  const otherResets = forgotPassword[other] && account[other] !== null
  if (resets && !otherResets) return { obstacle: 'recovery' }
  return { obstacle: null, option, other: isRequired || resets ? other : null }
}

/** Checks whether two addresses are the same, ignoring case. */
export const isSameAddress = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && toAsciiLowerCase(one) === toAsciiLowerCase(other)
