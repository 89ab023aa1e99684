import { z } from 'zod'

/**
 * The provider's endpoints whose errors are counted, and the parts of the API whose exceeded rate limits are counted
 * (spec/management#failed-requests).
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

/** The failed requests of one kind within an hour. */
export const FailedRequests = z.object({
  /** The start of the hour, in epoch milliseconds. */
  hour: z.number(),
  /** Null if the requests named no client, or one that the tenant does not have. */
  applicationId: z.string().nullable(),
  endpoint: z.string(),
  /**
   * An error of RFC 6749, OpenID Connect or the library. For the API, the error code or a value of
   * `failed-requests.ts`.
   */
  error: z.string(),
  count: z.number(),
})
