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

/** Returns the IANA name of the time zone of a request's IP address according to Cloudflare. */
export const getTimeZone = ({ cf }: Located): string | null => nonEmptyText(cf?.timezone)

/** Returns a non-empty text, truncated for logs. Returns null for any other value. */
export const nonEmptyText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? truncateText(value) : null

/**
 * Returns what a notice says about a request by a user: the device, the place and the time zone. The user's own time zone
 * takes precedence over that of the network.
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
