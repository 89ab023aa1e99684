/**
 * The parts of an account that a tenant can open to its users (spec/account-centre#fields). Each page of the account
 * centre and each router of the account API names its part; a new part adds its name here.
 */
export const accountFields = [
  'name',
  'avatar',
  'username',
  'email',
  'phone',
  'password',
  /** The standard claims that have no entry of their own (spec/accounts#profile). */
  'profile',
  'identities',
  'passkeys',
  /** Includes backup codes and remembered browsers. */
  'factors',
  'sessions',
  'applications',
  'activity',
  /** A copy of the stored data. */
  'data',
  'deletion',
] as const
export type AccountField = (typeof accountFields)[number]

/** Whether users see a part of their account: not at all, read-only, or with the means to change it. */
export const fieldPolicies = ['off', 'readOnly', 'edit'] as const
export type FieldPolicy = (typeof fieldPolicies)[number]

export type AccountFields = Record<AccountField, FieldPolicy>

export const mapAccountFields = <T>(getValue: (field: AccountField) => T) =>
  Object.fromEntries(accountFields.map((field) => [field, getValue(field)])) as Record<AccountField, T>

/** These parts consist only of a form, so `readOnly` hides them just as `off` does. */
const formOnlyFields: readonly AccountField[] = ['password', 'data', 'deletion']

export const isShown = (fields: AccountFields, field: AccountField): boolean =>
  fields[field] === 'edit' || (fields[field] === 'readOnly' && !formOnlyFields.includes(field))

/** The default: users may edit every part of their account. */
export const ALL_EDITABLE: AccountFields = mapAccountFields(() => 'edit')
