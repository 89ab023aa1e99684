import type { UserRow } from '../../storage/users.ts'

/** The fields of a user that are answered (spec/management#user-fields): no password, no hash, no tenant. */
export const userAnswer = ({
  id,
  username,
  primaryEmail,
  primaryPhone,
  name,
  avatar,
  customData,
  identities,
  lastSignInAt,
  createdAt,
  applicationId,
  isSuspended,
}: UserRow) => ({
  id,
  username,
  primaryEmail,
  primaryPhone,
  name,
  avatar,
  customData,
  identities,
  lastSignInAt,
  createdAt,
  applicationId,
  isSuspended,
})
