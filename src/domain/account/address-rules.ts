/** The rules for changing the addresses of an account (spec/account-centre#addresses). */

import type { Experience } from '../../contract/experience/experience.ts'
import { DAY, HOUR } from '../../contract/time.ts'
import { RECENT_FACTOR_PERIOD } from '../factors/factor-age.ts'
import { type Account, asciiLowerCase } from '../interactions/accounts.ts'
import { remainingSignInOption, type SignInOption } from '../interactions/ways-to-sign-in.ts'

export type AddressType = 'email' | 'phone'

/** How long the owner of the old address can undo a change: long enough to cover a weekend. Our choice. */
export const UNDO_LIFETIME = 72 * HOUR

/**
 * Replacing an address that the account has had for less time cannot be undone, because whoever took over the account
 * may own it. Our choice.
 */
export const UNDO_MIN_ADDRESS_AGE = 30 * DAY

/** Additions to an account within this time after its creation are considered its owner's. Our choice. */
const SETTING_UP = HOUR

/**
 * Returns the time from which additions are removed if a change of address is undone: whoever made the change may have
 * had access for at least as long as the account had the address (ADR-0097).
 */
export function undoCutoff({ changedAt, createdAt }: { changedAt: number; createdAt: number }): number {
  return ownedSince(changedAt - UNDO_MIN_ADDRESS_AGE, { at: changedAt, createdAt })
}

/**
 * Returns the time from which additions are removed by a password reset, in epoch milliseconds. Whoever made them may
 * have known nothing but the old password (ADR-0154).
 */
export const resetCutoff = ({ at, createdAt }: { at: number; createdAt: number }): number =>
  ownedSince(at - RECENT_FACTOR_PERIOD, { at, createdAt })

/**
 * Returns the later of `since` and the end of the account's first hour, but never later than `at`. All times are in
 * epoch milliseconds.
 */
const ownedSince = (since: number, { at, createdAt }: { at: number; createdAt: number }): number =>
  Math.min(at, Math.max(since, createdAt + SETTING_UP))

type Offered = Parameters<typeof remainingSignInOption>[2] & Pick<Experience, 'forgotPassword' | 'signUp'>

/**
 * Why an address cannot be removed: it is the last way to sign in, the next sign-in would ask for it, or nothing else
 * can reset a forgotten password. Otherwise the conditions that must still hold when it is removed.
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

/** Compares two addresses without regard to case. */
export const isSameAddress = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && asciiLowerCase(one) === asciiLowerCase(other)
