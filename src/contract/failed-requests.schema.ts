import { z } from 'zod'

/**
 * The parts of the product whose failed requests are counted (spec/management#failed-requests). For the OpenID
 * provider, these are endpoints. For the parts of the API, only requests over a rate limit are counted.
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
  /** The client that sent the requests, or null if the requests named no client or an unknown one. */
  applicationId: z.string().nullable(),
  endpoint: z.string(),
  /**
   * The error code. For the provider, this is a code from RFC 6749, OpenID Connect or the library. For the API, it is a
   * code from our error catalogue or a value of `failed-requests.ts`.
   */
  error: z.string(),
  count: z.number(),
})
