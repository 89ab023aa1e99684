import { truncateText } from './log-bounds.ts'

/**
 * The location of an IP address according to Cloudflare: the upper-case ISO code of the country, and the English name
 * of the city.
 */
export type Place = { country: string | null; city: string | null }

type Located = Request & { cf?: { country?: unknown; city?: unknown; timezone?: unknown } }

export const getPlace = ({ cf }: Located): Place => ({
  country: nonEmptyText(cf?.country),
  city: nonEmptyText(cf?.city),
})

/**
 * Returns the IANA name of the time zone of a request's IP address according to Cloudflare, or null if it is missing or
 * unknown to this runtime.
 */
export const getTimeZone = ({ cf }: Located): string | null => parseTimeZone(cf?.timezone)

/** Returns the IANA name of a time zone, or null if the value is not a time zone that this runtime knows. */
export function parseTimeZone(zone: unknown): string | null {
  if (typeof zone !== 'string') return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/**
 * Returns the names of the city and the country, as far as they are known. Some cities have the name of their country.
 */
export function getPlaceNames({ city, country }: Partial<Place>, languageTag: string): string[] {
  const names = new Intl.DisplayNames(languageTag, { type: 'region', fallback: 'none' })
  const countryName = country && /^[A-Z]{2}$/.test(country) ? names.of(country) : undefined
  return [...new Set([city, countryName])].filter((name) => typeof name === 'string')
}

/** Returns a non-empty text, truncated for logs. Returns null for any other value. */
export const nonEmptyText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? truncateText(value) : null

/**
 * Returns what a notice says about a request by a user: the device, the place and the time zone. The user's own time
 * zone takes precedence over that of the network.
 */
export function getCaller(request: Located, zoneinfo?: string | null) {
  const { city, country } = getPlace(request)
  return {
    userAgent: nonEmptyText(request.headers.get('user-agent')) ?? undefined,
    city: city ?? undefined,
    country: country ?? undefined,
    timeZone: zoneinfo || (getTimeZone(request) ?? undefined),
  }
}
