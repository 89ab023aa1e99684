/** The rules by which a sign-in is unusual for its account (spec/accounts#risk-rules). All functions are pure. */

import type { AddressFactor } from '../../contract/interactions/interaction.ts'
import type { RiskRule } from '../../contract/tenants/settings.ts'
import { DAY, HOUR } from '../../contract/time.ts'
import { distanceBetween, type SignInPlace } from './sign-in-place.ts'

/** How long a country counts as known, and how long its row is kept along with newer ones. Our choice. */
export const KNOWN_COUNTRY_PERIOD = 90 * DAY
/** The number of countries kept for an account. Our choice: frequent travellers are asked again now and then. */
export const MAX_COUNTRIES = 10
/** No airliner flies faster. */
const MAX_SPEED = 900 // km/h
/** Reaching the other side of the Earth takes 22 hours at that speed, so older coordinates are irrelevant. */
export const MAX_TRAVEL_TIME = DAY
/**
 * Shorter distances are ignored, because networks are located too coarsely: a phone may appear in another city of its
 * country. Our choice.
 */
const MAX_LOCATION_ERROR = 500 // km
/** How long after an account was signed out everywhere a new browser is unusual. Our choice. */
export const RECENT_RESET_PERIOD = 72 * HOUR

/** The last sign-in from a country. All sign-ins from unknown countries share one entry. */
export type PastPlace = SignInPlace & {
  /** In epoch milliseconds. */
  at: number
}

/** When the factors of an account were added, in epoch milliseconds. Null if unknown, which counts as older. */
export type AddedFactors = {
  totp: number | null
  backupCode: number | null
  passkeys: readonly { id: string; at: number }[]
} & Record<AddressFactor, number | null>

/** The history of an account, loaded only if the policy `adaptive` is in force. */
export type SignInHistory = {
  userId: string
  places: readonly PastPlace[]
  /** Whether the account has signed in with this browser before (spec/accounts#risk-rules). */
  knowsBrowser: boolean
  added: AddedFactors
}

type Attempt = {
  now: number
  here: SignInPlace
  /** When the account was last signed out everywhere, for instance by a password reset, in epoch milliseconds. */
  revokedAt: number | null
  history: Pick<SignInHistory, 'places' | 'knowsBrowser'>
}

const rules: Record<RiskRule, (attempt: Attempt) => boolean> = {
  /** An unknown country is not on any list, so hiding it gains nothing. */
  newCountry: ({ now, here, history: { places } }) =>
    places.length > 0 && (here.country === null || !knownCountries(places, now).includes(here.country)),

  impossibleTravel({ now, here, history: { places } }) {
    const last = newestFirst(places).find(({ coordinates }) => coordinates !== null)
    if (!last?.coordinates || !here.coordinates) return false
    const distance = distanceBetween(last.coordinates, here.coordinates)
    return distance > MAX_LOCATION_ERROR && distance / (Math.max(0, now - last.at) / HOUR) > MAX_SPEED
  },

  newBrowserAfterReset: ({ now, revokedAt, history: { knowsBrowser } }) =>
    revokedAt !== null && now - revokedAt < RECENT_RESET_PERIOD && !knowsBrowser,
}

export const matchingRiskRules = (attempt: Attempt): RiskRule[] =>
  (Object.keys(rules) as RiskRule[]).filter((rule) => rules[rule](attempt))

/** Returns the countries of the last ninety days, and that of the last sign-in however long ago it was. */
const knownCountries = (places: readonly PastPlace[], now: number) =>
  newestFirst(places)
    .filter(({ at }, index) => index === 0 || now - at <= KNOWN_COUNTRY_PERIOD)
    .map(({ country }) => country)

/** Breaks ties so that the result does not depend on the order in which the places were loaded. */
const newestFirst = (places: readonly PastPlace[]) =>
  places.toSorted((a, b) => b.at - a.at || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
