import { z } from 'zod'

/** The caller of the management API, and what the token permits (spec/management#own-permissions). */
export const OwnPermissions = z.object({
  userId: z.string().nullable(),
  name: z.string().nullable(),
  scopes: z.array(z.string()),
})
