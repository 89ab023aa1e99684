import { z } from 'zod'

/** A user's sign-in session. Times are in epoch milliseconds. */
export const SessionSchema = z.object({
  id: z.string(),
  signedInAt: z.number(),
  expiresAt: z.number(),
  /** The time of the session's last authorization, from which browser and place are taken as well. */
  lastSeenAt: z.number().nullable(),
  userAgent: z.string().nullable(),
  country: z.string().nullable(),
  city: z.string().nullable(),
  applications: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
})
