import { z } from 'zod'

/**
 * The actor who caused an entry: a user who acts on their own account, an application, an administrator, or the service
 * itself, which has the id `system` or null.
 */
const LogActorSchema = z.object({
  type: z.enum(['user', 'application', 'administrator', 'system']),
  id: z.string().nullable(),
})
export type LogActor = z.infer<typeof LogActorSchema>

/** The values of the changed fields, by the path of the field (spec/management#audit-changes). */
const FieldChangesSchema = z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() }))
export type FieldChanges = z.infer<typeof FieldChangesSchema>

/** An entry of the audit log (spec/management#audit-log). */
export const LogSchema = z.object({
  tenantId: z.string(),
  id: z.string(),
  key: z.string(),
  actor: LogActorSchema.meta({ id: 'LogActor' }).nullable(),
  payload: z.looseObject({
    key: z.string(),
    result: z.enum(['Success', 'Error']),
    changes: FieldChangesSchema.meta({ id: 'FieldChanges' }).optional(),
  }),
  createdAt: z.number(),
})
