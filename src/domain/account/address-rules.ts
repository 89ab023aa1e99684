/** The rules for changing the addresses of an account (spec/account-centre#addresses). */

import type { Experience } from '../../contract/experience/experience.ts'
import { DAY, HOUR } from '../../contract/time.ts'
import { RECENT_FACTOR_PERIOD } from '../factors/factor-age.ts'
import { type Account, toAsciiLowerCase } from '../interactions/accounts.ts'
import { remainingSignInOption, type SignInOption } from '../interactions/ways-to-sign-in.ts'

export type AddressType = 'email' | 'phone'

/** How long the owner of an old address can undo its change: long enough to cover a weekend. Our choice. */
export const UNDO_LIFETIME = 72 * HOUR

/**
 * The minimum time that an account must have had an address for its replacement to be undoable. A newer address may
 * belong to someone who has taken over the account. Our choice.
 */
export const UNDO_MIN_ADDRESS_AGE = 30 * DAY

/**
 * Anything that is added to an account within this time after its creation is considered added by its owner. Our
 * choice.
 */
const SETTING_UP = HOUR

/**
 * Returns the time from which credentials are removed when an address change is undone, in epoch milliseconds. Whoever
 * made the change may have had access for as long as an address must have existed to allow an undo (ADR-0097).
 */
export function undoCutoff({ changedAt, createdAt }: { changedAt: number; createdAt: number }): number {
  return ownedSince(changedAt - UNDO_MIN_ADDRESS_AGE, { at: changedAt, createdAt })
}

/**
 * Returns the time from which credentials are removed by a password reset, in epoch milliseconds. Whoever added them
 * may have known only the old password (ADR-0154).
 */
export const resetCutoff = ({ at, createdAt }: { at: number; createdAt: number }): number =>
  ownedSince(at - RECENT_FACTOR_PERIOD, { at, createdAt })

/**
 * Returns the later of `since` and the end of the account's first hour, but at most `at`. All times are in epoch
 * milliseconds.
 */
const ownedSince = (since: number, { at, createdAt }: { at: number; createdAt: number }): number =>
  Math.min(at, Math.max(since, createdAt + SETTING_UP))

type Offered = Parameters<typeof remainingSignInOption>[2] & Pick<Experience, 'forgotPassword' | 'signUp'>

/**
 * Whether an address can be removed. `obstacle` says why not: the address is the last way to sign in, the next sign-in
 * would ask for it, or nothing else can reset a forgotten password. If there is no obstacle, contains the conditions
 * that must still hold when the address is removed.
 */
export type AddressRemoval =
  | { obstacle: 'lastWay' | 'required' | 'recovery' }
  | { obstacle: null; option: SignInOption; other: AddressType | null }

export function checkAddressRemoval(type: AddressType, account: Account, offered: Offered): AddressRemoval {
  const option = remainingSignInOption({ identifier: type }, account, offered)
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

/** Compares two addresses, ignoring case. */
export const isSameAddress = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && toAsciiLowerCase(one) === toAsciiLowerCase(other)
