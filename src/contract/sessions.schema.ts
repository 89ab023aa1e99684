import { z } from '@hono/zod-openapi'

/** A login session of a user. Times are epoch milliseconds. */
export const SessionSchema = z.object({
  id: z.string(),
  signedInAt: z.number(),
  expiresAt: z.number(),
  applications: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
})
