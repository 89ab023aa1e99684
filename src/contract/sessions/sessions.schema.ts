import { z } from 'zod'

/** A user's sign-in session. Times are in epoch milliseconds. */
export const SessionSchema = z.object({
  id: z.string(),
  signedInAt: z.number(),
  expiresAt: z.number(),
  /**
   * The time at which the session last authorized an application. `browser` and `location` describe that authorization.
   */
  lastSeenAt: z.number().nullable(),
  userAgent: z.string().nullable(),
  country: z.string().nullable(),
  city: z.string().nullable(),
  applications: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
})
