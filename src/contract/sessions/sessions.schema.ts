import { z } from 'zod'

/** A login session of a user. Times are epoch milliseconds. */
export const SessionSchema = z.object({
  id: z.string(),
  signedInAt: z.number(),
  expiresAt: z.number(),
  /** Of the last authorization in it, as are browser and place. */
  lastSeenAt: z.number().nullable(),
  userAgent: z.string().nullable(),
  country: z.string().nullable(),
  city: z.string().nullable(),
  applications: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
})
