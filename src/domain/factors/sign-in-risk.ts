/** What makes a sign-in unusual for its account (spec/accounts#risk-rules). Pure. */

import type { AddressFactor } from '../../contract/interactions/interaction.ts'
import type { RiskRule } from '../../contract/tenants/settings.ts'
import { DAY, HOUR } from '../../contract/time.ts'
import { distanceBetween, type SignInPlace } from './sign-in-place.ts'

/** For how long a country counts as known, and its row is kept beside newer ones. Ours. */
export const COUNTRY_KNOWN = 90 * DAY
/** Countries of an account. Ours: who travels more is asked again now and then. */
export const MAX_COUNTRIES = 10
/** An airliner does not fly faster. */
const FASTEST = 900 // km/h
/** To the other side of the Earth takes 22 hours at that speed: older coordinates decide nothing. */
export const MAX_TRAVEL = DAY
/** Below it, networks are located too coarsely: a phone may appear in another city of its country. Ours. */
const FARTHEST_ERROR = 500 // km
/** For so long after an account was signed out everywhere. Ours. */
export const RESET_RECENT = 72 * HOUR

/** The last sign-in from each country, and those from nowhere known as one. */
export type PastPlace = SignInPlace & {
  /** Epoch milliseconds. */
  at: number
}

/** When what the account has was added, in epoch milliseconds; null where nothing says so: it counts as older. */
export type AddedFactors = {
  totp: number | null
  backupCode: number | null
  passkeys: readonly { id: string; at: number }[]
} & Record<AddressFactor, number | null>

/** What is known of an account, read only where `adaptive` is in force. */
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
  /** When the account was signed out everywhere, as by a reset of its password. Epoch milliseconds. */
  revokedAt: number | null
  history: Pick<SignInHistory, 'places' | 'knowsBrowser'>
}

const rules: Record<RiskRule, (attempt: Attempt) => boolean> = {
  /** A country that is not known is in no list, so that hiding it gains nothing. */
  newCountry: ({ now, here, history: { places } }) =>
    places.length > 0 && (here.country === null || !knownCountries(places, now).includes(here.country)),

  impossibleTravel({ now, here, history: { places } }) {
    const last = newestFirst(places).find(({ coordinates }) => coordinates !== null)
    if (!last?.coordinates || !here.coordinates) return false
    const distance = distanceBetween(last.coordinates, here.coordinates)
    return distance > FARTHEST_ERROR && distance / (Math.max(0, now - last.at) / HOUR) > FASTEST
  },

  newBrowserAfterReset: ({ now, revokedAt, history: { knowsBrowser } }) =>
    revokedAt !== null && now - revokedAt < RESET_RECENT && !knowsBrowser,
}

export const riskRulesOf = (attempt: Attempt): RiskRule[] =>
  (Object.keys(rules) as RiskRule[]).filter((rule) => rules[rule](attempt))

/** Those of the last ninety days, and however long ago it was that of the last sign-in. */
const knownCountries = (places: readonly PastPlace[], now: number) =>
  newestFirst(places)
    .filter(({ at }, index) => index === 0 || now - at <= COUNTRY_KNOWN)
    .map(({ country }) => country)

/** Of the same moment, in an order that does not depend on how they were read. */
const newestFirst = (places: readonly PastPlace[]) =>
  places.toSorted((a, b) => b.at - a.at || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
