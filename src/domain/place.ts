import { truncateText } from './log-bounds.ts'

/**
 * The location of an IP address according to Cloudflare: the upper-case ISO code of the country, and the English name
 * of the city.
 */
export type Place = { country: string | null; city: string | null }

type Located = Request & { cf?: { country?: unknown; city?: unknown } }

export const getPlace = ({ cf }: Located): Place => ({
  country: nonEmptyText(cf?.country),
  city: nonEmptyText(cf?.city),
})

/** Returns a non-empty text, truncated for logs. Returns null for any other value. */
export const nonEmptyText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? truncateText(value) : null
