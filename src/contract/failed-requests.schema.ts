import { z } from 'zod'

/** Endpoints of the provider whose refusals are counted, and parts of the API whose rate limits refuse (spec/management#failed-requests). */
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

/** An hour's refusals of one kind. */
export const FailedRequests = z.object({
  /** Its beginning, epoch milliseconds. */
  hour: z.number(),
  /** Null: the requests named clients that the tenant does not have, or none. */
  applicationId: z.string().nullable(),
  endpoint: z.string(),
  /** An error of RFC 6749, OpenID Connect or the library. The API has the code of its refusal, or one of `failed-requests.ts`. */
  error: z.string(),
  count: z.number(),
})
