import { z } from 'zod'

/** The endpoints of the provider whose refusals are counted (spec/management#failed-requests). */
export const CountedEndpoint = z.enum([
  'authorization',
  'pushed_authorization_request',
  'token',
  'introspection',
  'revocation',
])

/** An hour's refusals of one kind. */
export const FailedRequests = z.object({
  /** Its beginning, epoch milliseconds. */
  hour: z.number(),
  /** Null: the requests named clients that the tenant does not have, or none. */
  applicationId: z.string().nullable(),
  endpoint: z.string(),
  /** Of RFC 6749, OpenID Connect, or the library. */
  error: z.string(),
  count: z.number(),
})
