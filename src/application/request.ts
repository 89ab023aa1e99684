/** What the first middleware finds out about every request. */
export type RequestFacts = {
  /** The tenant of the request's host. Not set where no tenant has this host: then only an error is answered. */
  tenantId: string
  /** The address, parsed. */
  url: URL
  requestId: string
  ip: string | undefined
  /** The keys of the audit rows that this call caused, for its line in the request log. */
  audited?: readonly string[]
}

/** Whether a request asks for the settings as they are stored, past the cache (spec/experience#cache): with any value. */
export const asksForFresh = ({ url }: Pick<RequestFacts, 'url'>, cacheControl = ''): boolean =>
  url.searchParams.has('no_cache') || /\bno-(?:cache|store)\b/i.test(cacheControl)

/** A cookie for the answer. Its other attributes follow from the request and are the caller's. */
export type CookieChange = { name: string; value: string; expires?: Date; maxAgeSeconds?: number }
