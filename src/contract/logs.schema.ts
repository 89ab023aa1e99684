import { z } from 'zod'

/** An entry of the audit log (spec/management#audit-log). */
export const LogSchema = z.object({
  tenantId: z.string(),
  id: z.string(),
  key: z.string(),
  payload: z.looseObject({ key: z.string(), result: z.enum(['Success', 'Error']) }),
  createdAt: z.number(),
})
