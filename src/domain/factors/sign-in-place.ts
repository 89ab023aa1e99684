/** The location of a request's IP address, which Cloudflare determines and adds to the request. */

/** The coordinates in degrees, rounded to a tenth. That is about ten kilometres, so they do not identify a street. */
type Coordinates = { latitude: number; longitude: number }

export type SignInPlace = {
  /** The upper-case ISO 3166-1 code, or null if unknown, for example for Tor exit nodes. */
  country: string | null
  coordinates: Coordinates | null
}

type Facts = { country?: unknown; latitude?: unknown; longitude?: unknown }
type Located = Request & { cf?: Facts }

export const getSignInPlace = ({ cf }: Located): SignInPlace => parseSignInPlace(cf)

export const parseSignInPlace = (facts: Facts = {}): SignInPlace => ({
  country: readCountry(facts.country),
  coordinates: readCoordinates(facts.latitude, facts.longitude),
})

/** Cloudflare reports `XX` for an unknown country, and `T1` for Tor. */
const readCountry = (value: unknown): string | null =>
  typeof value === 'string' && /^[A-Z]{2}$/.test(value) && value !== 'XX' ? value : null

function readCoordinates(...values: readonly [unknown, unknown]): Coordinates | null {
  const [latitude, longitude] = values.map(readDegrees)
  return latitude !== undefined &&
    longitude !== undefined &&
    Math.abs(latitude) <= 90 &&
    Math.abs(longitude) <= 180
    ? { latitude, longitude }
    : null
}

/** Parses a decimal number. */
const readDegrees = (value: unknown): number | undefined =>
  typeof value === 'string' && /^-?\d{1,3}(?:\.\d+)?$/.test(value)
    ? Math.round(Number(value) * 10) / 10
    : undefined

/** Returns the location data from Cloudflare, to be copied to another request. */
export const copyLocation = ({ cf }: Located): { cf?: Facts } => (cf ? { cf } : {})

const EARTH_RADIUS = 6_371 // km, mean

/** Returns the distance between two points along the surface, in kilometres (haversine formula). */
export function distanceInKm(one: Coordinates, other: Coordinates): number {
  const [φ1, φ2] = [radians(one.latitude), radians(other.latitude)]
  const h =
    haversine(φ2 - φ1) +
    Math.cos(φ1) * Math.cos(φ2) * haversine(radians(other.longitude) - radians(one.longitude))
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(h)))
}

const radians = (degrees: number) => (degrees / 180) * Math.PI
const haversine = (angle: number) => Math.sin(angle / 2) ** 2
