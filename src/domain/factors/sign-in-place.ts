/** Where a request comes from, as Cloudflare locates its network address and adds it to the request. */

/** Degrees, rounded to a tenth: about ten kilometres, and no street. */
type Coordinates = { latitude: number; longitude: number }

export type SignInPlace = {
  /** Upper-case ISO 3166-1; null where it is not known, as for the exits of the Tor network. */
  country: string | null
  coordinates: Coordinates | null
}

type Facts = { country?: unknown; latitude?: unknown; longitude?: unknown }
type Located = Request & { cf?: Facts }

export const signInPlaceOf = ({ cf }: Located): SignInPlace => signInPlaceIn(cf)

export const signInPlaceIn = (facts: Facts = {}): SignInPlace => ({
  country: countryIn(facts.country),
  coordinates: coordinatesIn(facts.latitude, facts.longitude),
})

/** Cloudflare says `XX` for what it does not know, and `T1` for Tor. */
const countryIn = (value: unknown): string | null =>
  typeof value === 'string' && /^[A-Z]{2}$/.test(value) && value !== 'XX' ? value : null

function coordinatesIn(...values: readonly [unknown, unknown]): Coordinates | null {
  const [latitude, longitude] = values.map(degreesIn)
  return latitude !== undefined &&
    longitude !== undefined &&
    Math.abs(latitude) <= 90 &&
    Math.abs(longitude) <= 180
    ? { latitude, longitude }
    : null
}

/** A decimal number as text. */
const degreesIn = (value: unknown): number | undefined =>
  typeof value === 'string' && /^-?\d{1,3}(?:\.\d+)?$/.test(value)
    ? Math.round(Number(value) * 10) / 10
    : undefined

/** For a request that is made in place of another one. */
export const located = ({ cf }: Located): { cf?: Facts } => (cf ? { cf } : {})

const EARTH_RADIUS = 6_371 // km, mean

/** Along the surface, in kilometres (haversine). */
export function distanceBetween(one: Coordinates, other: Coordinates): number {
  const [φ1, φ2] = [radians(one.latitude), radians(other.latitude)]
  const h =
    haversine(φ2 - φ1) +
    Math.cos(φ1) * Math.cos(φ2) * haversine(radians(other.longitude) - radians(one.longitude))
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(h)))
}

const radians = (degrees: number) => (degrees / 180) * Math.PI
const haversine = (angle: number) => Math.sin(angle / 2) ** 2
