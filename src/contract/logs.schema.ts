import { z } from 'zod'

/** An audit row as it is answered (contract 2.10). */
export const Log = z.object({
  tenantId: z.string(),
  id: z.string(),
  key: z.string(),
  payload: z.looseObject({ key: z.string(), result: z.enum(['Success', 'Error']) }),
  createdAt: z.number(),
})
