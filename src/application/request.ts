/** The facts about a request that the first middleware determines. */
export type RequestFacts = {
  /**
   * The id of the tenant that has the request's host, or undefined if there is none, in which case the response is
   * always an error.
   */
  tenantId: string
  /** The parsed URL of the request. */
  url: URL
  requestId: string
  ip: string | undefined
  /** The keys of the audit rows that this request has created, which are logged with the request. */
  audited?: readonly string[]
}

/**
 * Checks whether a request asks for fresh settings instead of cached ones (spec/experience#cache). The parameter
 * `no_cache` may have any value.
 */
export const bypassesCache = ({ url }: Pick<RequestFacts, 'url'>, cacheControl = ''): boolean =>
  url.searchParams.has('no_cache') || /\bno-(?:cache|store)\b/i.test(cacheControl)

/** A cookie to set in the response. The caller adds the remaining attributes, which depend on the request. */
export type CookieChange = { name: string; value: string; expires?: Date; maxAgeSeconds?: number }
