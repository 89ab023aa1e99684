import { z } from 'zod'
import type { UserWithDeletion } from '../../../application/users/change.ts'
import { userFields } from '../../../contract/users/user-fields.ts'
import { pick } from '../../../domain/pick.ts'
import { type UserRow, verifiedAddresses } from '../../../storage/users/users.ts'

/**
 * Returns the fields of a user for a response (spec/management#user-fields), without the password hash and the tenant
 * id.
 */
export function toUserResponse(user: UserRow) {
  const { email: emailVerified, phone: phoneVerified } = verifiedAddresses(user)
  return { ...pick(user, userFields), emailVerified, phoneVerified }
}

/** Returns the fields that callers without access to user data may see (spec/management#withheld-users). */
export const toUserSummary = (user: UserRow) => pick(user, ['id', 'username', 'name', 'avatar'])

export const toUserResponseWithDeletion = ({ user, deletion }: UserWithDeletion) => ({
  ...toUserResponse(user),
  ...(deletion && { deletion }),
})

/** Declares the query parameter that filters a list of users by whether they are suspended (spec/management#users). */
export const suspensionQuery = { isSuspended: z.enum(['true', 'false']).optional() }

export const readSuspension = ({ isSuspended }: { isSuspended?: 'true' | 'false' | undefined }) =>
  isSuspended === undefined ? undefined : isSuspended === 'true'
