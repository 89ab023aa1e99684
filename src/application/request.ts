/** Facts about a request that the first middleware determines. */
export type RequestFacts = {
  /**
   * The tenant of the request's host. Undefined if no tenant has this host, in which case the response is always an
   * error.
   */
  tenantId: string
  /** The parsed URL of the request. */
  url: URL
  requestId: string
  ip: string | undefined
  /** The keys of the audit rows that this request has caused, for its line in the request log. */
  audited?: readonly string[]
}

/**
 * Checks whether a request bypasses the cache to read the stored settings (spec/experience#cache). Any value of the
 * parameter `no_cache` counts.
 */
export const bypassesCache = ({ url }: Pick<RequestFacts, 'url'>, cacheControl = ''): boolean =>
  url.searchParams.has('no_cache') || /\bno-(?:cache|store)\b/i.test(cacheControl)

/** A cookie to set in the response. The caller adds the remaining attributes, which depend on the request. */
export type CookieChange = { name: string; value: string; expires?: Date; maxAgeSeconds?: number }
