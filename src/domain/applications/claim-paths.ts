import type { AccountCentreSettings } from '../../contract/tenants/settings.ts'
import type { UserProfile } from '../../contract/users/user-profile.schema.ts'

/** The paths with which templates of claims refer to the data of a user (spec/provider#claim-paths). */

/** A string that begins like this is a path, and therefore no constant. */
const PATH_START = '$.'

export const isClaimPath = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith(PATH_START)

/** Returns the segments of a path. */
export const splitClaimPath = (path: string): string[] => path.slice(PATH_START.length).split('.')

/** The most segments of a path. */
const MAX_SEGMENTS = 8

/** A segment without white space and invisible characters. */
const SEGMENT = /^[^\s\p{C}]{1,64}$/u

const profileFields = {
  givenName: true,
  familyName: true,
  middleName: true,
  nickname: true,
  profile: true,
  website: true,
  gender: true,
  birthdate: true,
  zoneinfo: true,
  locale: true,
  address: true,
} as const satisfies Record<keyof UserProfile, true>

const addressFields = {
  formatted: true,
  streetAddress: true,
  locality: true,
  region: true,
  postalCode: true,
  country: true,
} as const satisfies Record<keyof NonNullable<UserProfile['address']>, true>

/** Checks the segments after each root. Nothing else of a user can be reached. */
const roots: Record<ClaimPathRoot, (segments: readonly string[]) => boolean> = {
  username: isEmpty,
  name: isEmpty,
  primaryEmail: isEmpty,
  primaryPhone: isEmpty,
  avatar: isEmpty,
  roles: isEmpty,
  scopes: isEmpty,
  profile: ([field = '', part, ...more]) =>
    Object.hasOwn(profileFields, field) &&
    more.length === 0 &&
    (part === undefined || (field === 'address' && Object.hasOwn(addressFields, part))),
  customData: (segments) => segments.length > 0,
}

export type ClaimPathRoot =
  | 'username'
  | 'name'
  | 'primaryEmail'
  | 'primaryPhone'
  | 'avatar'
  | 'profile'
  | 'customData'
  | 'roles'
  | 'scopes'

function isEmpty(segments: readonly string[]): boolean {
  return segments.length === 0
}

const isRoot = (name: string): name is ClaimPathRoot => Object.hasOwn(roots, name)

/** Returns what is wrong with a path, as a predicate whose subject is the claim, or null if the path can be used. */
export function findClaimPathProblem(path: string): string | null {
  const segments = splitClaimPath(path)
  const [root = '', ...rest] = segments
  if (segments.length > MAX_SEGMENTS) return 'has a path of more than 8 parts'
  if (!segments.every((segment) => SEGMENT.test(segment)))
    return 'has a path with a part that is empty, too long or contains white space'
  if (!isRoot(root))
    return 'has a path that begins with none of $.username, $.name, $.primaryEmail, $.primaryPhone, $.avatar, $.profile, $.customData, $.roles and $.scopes'
  return roots[root](rest) ? null : 'has a path that names no value below its first part'
}

/**
 * Reports whether users of the tenant can choose the value of a path by themselves, in the account centre or through an
 * application that calls the account API. APIs that trust such a claim trust what users say about themselves. Roles and
 * scopes are assigned by operators, and so are custom data for which the tenant has defined a field that users may not
 * edit.
 */
export function isEditableByUser(
  path: string,
  { fields, customFields }: Pick<AccountCentreSettings, 'fields' | 'customFields'>,
): boolean {
  if (!isClaimPath(path)) return false
  const [root = '', key] = splitClaimPath(path)
  if (!isRoot(root)) return false
  switch (root) {
    case 'username':
    case 'name':
    case 'avatar':
    case 'profile':
      return fields[root] === 'edit'
    case 'primaryEmail':
      return fields.email === 'edit'
    case 'primaryPhone':
      return fields.phone === 'edit'
    case 'customData':
      return (customFields.find((field) => field.key === key)?.access ?? 'edit') === 'edit'
    case 'roles':
    case 'scopes':
      return false
  }
}
