import { truncateText } from './log-bounds.ts'

/** The location of a network according to Cloudflare: an upper-case ISO code, and the English name of a city. */
export type Place = { country: string | null; city: string | null }

type Located = Request & { cf?: { country?: unknown; city?: unknown } }

export const placeOf = ({ cf }: Located): Place => ({
  country: nonEmptyText(cf?.country),
  city: nonEmptyText(cf?.city),
})

/** Returns null for missing and empty values. */
export const nonEmptyText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? truncateText(value) : null
