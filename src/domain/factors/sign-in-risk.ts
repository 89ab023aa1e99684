/** The rules that make a sign-in unusual for its account (spec/accounts#risk-rules). All functions are pure. */

import type { AddressFactor } from '../../contract/interactions/interaction.ts'
import type { RiskRule } from '../../contract/tenants/settings.ts'
import { DAY, HOUR } from '../../contract/time.ts'
import { distanceInKm, type SignInPlace } from './sign-in-place.ts'

/**
 * The time for which a country remains known after the last sign-in from there. After that, its row is kept only if it
 * is the newest one. Our choice.
 */
export const KNOWN_COUNTRY_PERIOD = 90 * DAY
/**
 * The maximum number of countries stored per account. We chose a number that only frequent travellers exceed; they have
 * to prove a factor again now and then.
 */
export const MAX_COUNTRIES = 10
/** The maximum plausible speed of travel. No airliner is faster. */
const MAX_SPEED = 900 // km/h
/** At `MAX_SPEED`, reaching the other side of the Earth takes 22 hours, so older coordinates are irrelevant. */
export const MAX_TRAVEL_TIME = DAY
/**
 * Shorter distances are ignored, because the location of an IP address is imprecise: a phone may appear to be in
 * another city of the same country. Our choice.
 */
const MAX_LOCATION_ERROR = 500 // km
/** The time for which a new browser is considered unusual after an account was signed out everywhere. Our choice. */
export const RECENT_RESET_PERIOD = 72 * HOUR

/** The last sign-in from a country. Sign-ins from unknown countries share one entry. */
export type PastPlace = SignInPlace & {
  /** The time of the sign-in, in epoch milliseconds. */
  at: number
}

/**
 * The times at which the factors of an account were added, in epoch milliseconds. An unknown time is null and counts as
 * not recent.
 */
export type AddedFactors = {
  totp: number | null
  backupCode: number | null
  passkeys: readonly { id: string; at: number }[]
} & Record<AddressFactor, number | null>

/** The sign-in history of an account, loaded only if the policy `adaptive` applies. */
export type SignInHistory = {
  userId: string
  places: readonly PastPlace[]
  /** True if the user has signed in to the account in this browser before (spec/accounts#risk-rules). */
  knowsBrowser: boolean
  added: AddedFactors
}

type Attempt = {
  now: number
  here: SignInPlace
  /**
   * The time at which the account was last signed out everywhere, for instance by a password reset, in epoch
   * milliseconds.
   */
  revokedAt: number | null
  history: Pick<SignInHistory, 'places' | 'knowsBrowser'>
}

const rules: Record<RiskRule, (attempt: Attempt) => boolean> = {
  /** An unknown country never counts as known, so hiding the location has no benefit. */
  newCountry: ({ now, here, history: { places } }) =>
    places.length > 0 && (here.country === null || !knownCountries(places, now).includes(here.country)),

  impossibleTravel({ now, here, history: { places } }) {
    const last = newestFirst(places).find(({ coordinates }) => coordinates !== null)
    if (!last?.coordinates || !here.coordinates) return false
    const distance = distanceInKm(last.coordinates, here.coordinates)
    return distance > MAX_LOCATION_ERROR && distance / (Math.max(0, now - last.at) / HOUR) > MAX_SPEED
  },

  newBrowserAfterReset: ({ now, revokedAt, history: { knowsBrowser } }) =>
    revokedAt !== null && now - revokedAt < RECENT_RESET_PERIOD && !knowsBrowser,
}

export const findMatchingRiskRules = (attempt: Attempt): RiskRule[] =>
  (Object.keys(rules) as RiskRule[]).filter((rule) => rules[rule](attempt))

/** Returns the countries of the last ninety days, and the country of the last sign-in regardless of its age. */
const knownCountries = (places: readonly PastPlace[], now: number) =>
  newestFirst(places)
    .filter(({ at }, index) => index === 0 || now - at <= KNOWN_COUNTRY_PERIOD)
    .map(({ country }) => country)

/**
 * Sorts locations, newest first. Breaks ties, so that the result does not depend on the order in which the locations
 * were loaded.
 */
const newestFirst = (places: readonly PastPlace[]) =>
  places.toSorted((a, b) => b.at - a.at || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
