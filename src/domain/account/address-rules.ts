/** What users may do with the addresses of their account (spec/account-centre#addresses). */

import type { Experience } from '../../contract/experience/experience.ts'
import { DAY, HOUR } from '../../contract/time.ts'
import { FACTOR_RECENT } from '../factors/factor-age.ts'
import { type Account, asciiLowerCase } from '../interactions/accounts.ts'
import { type SignInOption, signInOptionWithout } from '../interactions/ways-to-sign-in.ts'

export type AddressType = 'email' | 'phone'

/** How long the owner of the old address can undo a change. Ours: over a weekend. */
export const UNDO_LIFETIME = 72 * HOUR

/** An address that the account has for less time gives no undo: it may be that of whoever took the account. Ours. */
export const UNDO_NEEDS_AGE = 30 * DAY

/** Passkeys, addresses and the like that a new account gets so soon are its owner's. Ours. */
const SETTING_UP = HOUR

/**
 * What was added to the account from then on goes with the undo of a change: whoever has made it may have been there for as long as the
 * account had the address without a change, at least (ADR-0097).
 */
export function undoTakesBackSince({
  changedAt,
  createdAt,
}: {
  changedAt: number
  createdAt: number
}): number {
  return ownedSince(changedAt - UNDO_NEEDS_AGE, { at: changedAt, createdAt })
}

/**
 * What was added to an account from then on goes with a reset of its password: whoever added it may have known nothing but
 * the old password (ADR-0154). Epoch milliseconds.
 */
export const resetTakesBackSince = ({ at, createdAt }: { at: number; createdAt: number }): number =>
  ownedSince(at - FACTOR_RECENT, { at, createdAt })

/** The later of `since` and the end of an account's first hour, but never later than `at`. All in epoch milliseconds. */
const ownedSince = (since: number, { at, createdAt }: { at: number; createdAt: number }): number =>
  Math.min(at, Math.max(since, createdAt + SETTING_UP))

type Offered = Parameters<typeof signInOptionWithout>[2] & Pick<Experience, 'forgotPassword' | 'signUp'>

/**
 * Why an address cannot be removed: it is the last way to sign in, the next sign-in would ask for it, or nothing else resets a
 * forgotten password. Else what must still hold when it is removed.
 */
export type AddressRemoval =
  | { obstacle: 'lastWay' | 'required' | 'recovery' }
  | { obstacle: null; option: SignInOption; other: AddressType | null }

export function addressRemoval(type: AddressType, account: Account, offered: Offered): AddressRemoval {
  const option = signInOptionWithout({ identifier: type }, account, offered)
  if (!option) return { obstacle: 'lastWay' }
  const other = type === 'email' ? 'phone' : 'email'
  const { identifiers } = offered.signUp
  const asksForOther = identifiers.includes(other) && account[other] !== null
  const isAsked = identifiers.includes(type)
  if (isAsked && !asksForOther) return { obstacle: 'required' }
  const { forgotPassword } = offered
  const resets = account.hasPassword && forgotPassword[type]
  const otherResets = forgotPassword[other] && account[other] !== null
  if (resets && !otherResets) return { obstacle: 'recovery' }
  return { obstacle: null, option, other: isAsked || resets ? other : null }
}

/** In any letter case. */
export const isSameAddress = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && asciiLowerCase(one) === asciiLowerCase(other)
