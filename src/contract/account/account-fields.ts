/**
 * The parts of an account that a tenant can let its users see and edit (spec/account-centre#fields). Every page of the
 * account centre and every router of the account API belongs to one of these parts.
 */
export const accountFields = [
  'name',
  'avatar',
  'username',
  'email',
  'phone',
  'password',
  /** The standard claims that are not listed here separately (spec/accounts#profile). */
  'profile',
  'identities',
  'passkeys',
  /** This part also covers backup codes and remembered browsers. */
  'factors',
  'sessions',
  'applications',
  'activity',
  /** A download of the stored data. */
  'data',
  'deletion',
] as const
export type AccountField = (typeof accountFields)[number]

/** The access that users have to a part of their account: none, read-only, or full. */
export const fieldPolicies = ['off', 'readOnly', 'edit'] as const
export type FieldPolicy = (typeof fieldPolicies)[number]

export type AccountFieldPolicies = Record<AccountField, FieldPolicy>

export const mapAccountFields = <T>(getValue: (field: AccountField) => T) =>
  Object.fromEntries(accountFields.map((field) => [field, getValue(field)])) as Record<AccountField, T>

/** The parts that consist only of a form. The policy `readOnly` hides such a part, as `off` does. */
const formOnlyFields: readonly AccountField[] = ['password', 'data', 'deletion']

export const isFieldVisible = (fields: AccountFieldPolicies, field: AccountField): boolean =>
  fields[field] === 'edit' || (fields[field] === 'readOnly' && !formOnlyFields.includes(field))

/** The default policies, which let users edit every part of their account. */
export const ALL_EDITABLE: AccountFieldPolicies = mapAccountFields(() => 'edit')
