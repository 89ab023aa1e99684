/** The fields of a user as the management API answers them and hooks receive them (spec/management#user-fields). */
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

/** Of these, the fields that an export answers and an import takes (spec/management#user-import). */
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
