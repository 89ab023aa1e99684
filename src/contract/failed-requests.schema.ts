import { z } from 'zod'

/**
 * The parts of the product for which failed requests are counted: the endpoints of the OpenID provider, and the parts
 * of the API for which exceeded rate limits are counted (spec/management#failed-requests).
 */
export const CountedEndpoint = z.enum([
  'authorization',
  'pushed_authorization_request',
  'token',
  'introspection',
  'revocation',
  'device_authorization',
  'interaction',
  'account',
  'management',
])
export type CountedEndpoint = z.infer<typeof CountedEndpoint>

/** The number of failed requests of one kind within an hour. */
export const FailedRequests = z.object({
  /** The start of the hour, in epoch milliseconds. */
  hour: z.number(),
  /** The client of the requests, or null if they named none or one that the tenant does not have. */
  applicationId: z.string().nullable(),
  endpoint: z.string(),
  /**
   * For the provider, an error of RFC 6749, OpenID Connect or the library. For the API, an error code or a value of
   * `failed-requests.ts`.
   */
  error: z.string(),
  count: z.number(),
})
