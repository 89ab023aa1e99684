/** The facts that the first middleware determines about every request. */
export type RequestFacts = {
  /**
   * The tenant of the request's host. It is not set if no tenant has this host; the response is then always an error.
   */
  tenantId: string
  /** The parsed address of the request. */
  url: URL
  requestId: string
  ip: string | undefined
  /** The keys of the audit rows that this call caused, for its line in the request log. */
  audited?: readonly string[]
}

/**
 * Checks whether a request bypasses the cache to read the stored settings (spec/experience#cache). `no_cache` may have
 * any value.
 */
export const bypassesCache = ({ url }: Pick<RequestFacts, 'url'>, cacheControl = ''): boolean =>
  url.searchParams.has('no_cache') || /\bno-(?:cache|store)\b/i.test(cacheControl)

/** A cookie for the response. The caller adds its other attributes, which depend on the request. */
export type CookieChange = { name: string; value: string; expires?: Date; maxAgeSeconds?: number }
