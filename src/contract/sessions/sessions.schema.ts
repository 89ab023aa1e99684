import { z } from 'zod'

/** A user's sign-in session. Times are in epoch milliseconds. */
export const SessionSchema = z.object({
  id: z.string(),
  signedInAt: z.number(),
  expiresAt: z.number(),
  /** The time of the session's last authorization. Browser and place are those of the same authorization. */
  lastSeenAt: z.number().nullable(),
  userAgent: z.string().nullable(),
  country: z.string().nullable(),
  city: z.string().nullable(),
  applications: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
})
