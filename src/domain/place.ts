import { cutText } from './log-bounds.ts'

/** Where a network is, as Cloudflare locates it: an upper-case ISO code, and a name in English. */
export type Place = { country: string | null; city: string | null }

type Located = Request & { cf?: { country?: unknown; city?: unknown } }

export const placeOf = ({ cf }: Located): Place => ({
  country: knownText(cf?.country),
  city: knownText(cf?.city),
})

/** Null for what is missing or empty. */
export const knownText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? cutText(value) : null
