import { z } from 'zod'

/** The caller of the management API and the permissions of the caller's token (spec/management#own-permissions). */
export const OwnPermissions = z.object({
  userId: z.string().nullable(),
  name: z.string().nullable(),
  scopes: z.array(z.string()),
})
