/**
 * The fields of a user as the management API returns them and hooks receive them (spec/management#user-fields). Most
 * are also properties of the table `users`.
 */
export const userFields = [
  'id',
  'username',
  'primaryEmail',
  'primaryPhone',
  'name',
  'avatar',
  'customData',
  'identities',
  'lastSignInAt',
  'createdAt',
  'applicationId',
  'emailVerified',
  'phoneVerified',
  'termsAgreement',
  'isSuspended',
  'profile',
  'profileUpdatedAt',
] as const
export type UserField = (typeof userFields)[number]

/** The fields that an export contains and an import accepts (spec/management#user-import). */
export const portableUserFields = [
  'id',
  'username',
  'primaryEmail',
  'primaryPhone',
  'name',
  'avatar',
  'customData',
  'identities',
  'emailVerified',
  'phoneVerified',
  'termsAgreement',
  'isSuspended',
  'createdAt',
  'lastSignInAt',
  'profile',
  'profileUpdatedAt',
] as const satisfies readonly UserField[]
export type PortableUserField = (typeof portableUserFields)[number]
