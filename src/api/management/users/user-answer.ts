import { z } from 'zod'
import type { UserWithDeletion } from '../../../application/users/change.ts'
import { userFields } from '../../../contract/users/user-fields.ts'
import { pick } from '../../../domain/pick.ts'
import { type UserRow, verifiedAddresses } from '../../../storage/users/users.ts'

/** The fields of a user that are answered (spec/management#user-fields): no password, no hash, no tenant. */
export function userAnswer(user: UserRow) {
  const { email: emailVerified, phone: phoneVerified } = verifiedAddresses(user)
  return { ...pick(user, userFields), emailVerified, phoneVerified }
}

/** To callers who may not read users (spec/management#withheld-users). */
export const userSummary = (user: UserRow) => pick(user, ['id', 'username', 'name', 'avatar'])

export const userWithDeletionAnswer = ({ user, deletion }: UserWithDeletion) => ({
  ...userAnswer(user),
  ...(deletion && { deletion }),
})

/** For declarations of lists of users (spec/management#users). */
export const suspensionQuery = { isSuspended: z.enum(['true', 'false']).optional() }

export const suspensionOf = ({ isSuspended }: { isSuspended?: 'true' | 'false' | undefined }) =>
  isSuspended === undefined ? undefined : isSuspended === 'true'
