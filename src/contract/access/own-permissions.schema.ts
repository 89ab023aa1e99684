import { z } from 'zod'

/** Who calls the management API, and what the token may do there (spec/management#own-permissions). */
export const OwnPermissions = z.object({
  userId: z.string().nullable(),
  name: z.string().nullable(),
  scopes: z.array(z.string()),
})
