import type { UserRow } from '../../storage/users.ts'

/** The fields of a user that leave the house (contract 2.9, 8.1): never a password. */
export const toAnswer = ({
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
