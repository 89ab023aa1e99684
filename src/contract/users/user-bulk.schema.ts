import { z } from 'zod'
import { storableText } from '../text.schema.ts'

/**
 * The number of users that one call changes. The deletion of a user takes 13 statements, and more if applications have
 * to be notified; D1 accepts 1000 in one invocation of a Worker (spec/management#user-bulk).
 */
export const MAX_USERS_PER_BULK_CALL = 50

const userIds = z.array(storableText(128).min(1)).min(1).max(MAX_USERS_PER_BULK_CALL)

/** A change of several users, each of which is changed as by the call for a single user. */
export const UserBulkChange = z
  .discriminatedUnion('operation', [
    z.strictObject({ operation: z.literal('suspend'), userIds }),
    z.strictObject({ operation: z.literal('reinstate'), userIds }),
    z.strictObject({ operation: z.literal('delete'), userIds }),
    z.strictObject({ operation: z.literal('assignRole'), userIds, roleId: storableText(128).min(1) }),
  ])
  .meta({ id: 'UserBulkChange' })
export type UserBulkChange = z.infer<typeof UserBulkChange>

const UserBulkResult = z.object({
  id: z.string(),
  status: z.enum(['changed', 'rejected']),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      data: z.unknown().optional(),
      details: z.string().optional(),
    })
    .optional(),
})
export type UserBulkResult = z.infer<typeof UserBulkResult>

export const UserBulkResponse = z
  .object({ results: z.array(UserBulkResult) })
  .meta({ id: 'UserBulkResponse' })
export type UserBulkResponse = z.infer<typeof UserBulkResponse>
