/**
 * What a tenant leaves to its users, part by part of their account (spec/account-centre#fields). A page of the account centre
 * names its part, and so does a router of the account API; a new part adds its name here.
 */
export const accountFields = [
  'name',
  'avatar',
  'username',
  'email',
  'phone',
  'password',
  /** The other standard claims (spec/accounts#profile). */
  'profile',
  'identities',
  'passkeys',
  /** With backup codes and the browsers that are remembered. */
  'factors',
  'sessions',
  'applications',
  'activity',
  /** A copy of what is stored. */
  'data',
  'deletion',
] as const
export type AccountField = (typeof accountFields)[number]

/** Not shown; shown; shown and changed. */
export const fieldPolicies = ['off', 'readOnly', 'edit'] as const
export type FieldPolicy = (typeof fieldPolicies)[number]

export type AccountFields = Record<AccountField, FieldPolicy>

export const forEachAccountField = <T>(of: (field: AccountField) => T) =>
  Object.fromEntries(accountFields.map((field) => [field, of(field)])) as Record<AccountField, T>

/** There is a form and nothing to see: `readOnly` is like `off`. */
const formsAlone: readonly AccountField[] = ['password', 'data', 'deletion']

export const isShown = (fields: AccountFields, field: AccountField): boolean =>
  fields[field] === 'edit' || (fields[field] === 'readOnly' && !formsAlone.includes(field))

/** Each field. */
export const EDITABLE: AccountFields = forEachAccountField(() => 'edit')
