/** A cookie for the answer. Its other attributes follow from the request and are the caller's. */
export type CookieChange = { name: string; value: string; expires?: Date; maxAgeSeconds?: number }
