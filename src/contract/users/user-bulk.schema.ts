import { z } from 'zod'
import { ErrorBodySchema } from '../errors.schema.ts'
import { storableText } from '../text.schema.ts'

/**
 * The number of users that one call changes. A user takes up to nine statements, and the messages that are sent after the
 * response take 300; D1 accepts 1,000 in one invocation of a Worker (spec/storage#platform-limits).
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
  error: ErrorBodySchema.optional(),
})
export type UserBulkResult = z.infer<typeof UserBulkResult>

export const UserBulkResponse = z
  .object({ results: z.array(UserBulkResult) })
  .meta({ id: 'UserBulkResponse' })
export type UserBulkResponse = z.infer<typeof UserBulkResponse>
