import { type ClaimTemplate, MAX_CLAIMS_BYTES } from '../../contract/applications/claim-template.ts'
import { isRecord } from '../../contract/is-record.ts'
import type { UserProfile } from '../../contract/users/user-profile.schema.ts'
import { type ClaimPathRoot, isClaimPath, splitClaimPath } from './claim-paths.ts'
import { countBytes } from './claim-template.ts'

/** Computes the claims that a template results in for a user (spec/provider#claim-templates). */

/** Everything of a user that a path can reach. */
export type ClaimSubject = Record<ClaimPathRoot, unknown> & {
  profile: UserProfile
  customData: Record<string, unknown>
  roles: readonly string[]
  scopes: readonly string[]
}

type UserOfClaims = Record<'username' | 'name' | 'primaryEmail' | 'primaryPhone' | 'avatar', string | null> &
  Pick<ClaimSubject, 'profile' | 'customData'>

/** Picks from a user what paths can reach. A phone number is in E.164, as in the claim `phone_number`. */
export const toClaimSubject = (
  { username, name, primaryEmail, primaryPhone, avatar, profile, customData }: UserOfClaims,
  { roles, scopes }: Pick<ClaimSubject, 'roles' | 'scopes'>,
): ClaimSubject => ({
  username,
  name,
  primaryEmail,
  primaryPhone: primaryPhone && `+${primaryPhone}`,
  avatar,
  profile,
  customData,
  roles,
  scopes,
})

/** Returns the paths of a value, without duplicates. */
const pathsIn = (value: unknown): string[] => {
  if (isClaimPath(value)) return [value]
  return isRecord(value) ? [...new Set(Object.values(value).flatMap(pathsIn))] : []
}

/** Reports whether a template refers to a root, such as the user's roles. */
export const refersTo = (template: ClaimTemplate, root: ClaimPathRoot): boolean =>
  pathsIn(template).some((path) => splitClaimPath(path)[0] === root)

/**
 * Returns the claims for a user, or the constant claims if there is no user. A path without a value omits its claim, or
 * the item or property that consists of it.
 */
export const resolveClaims = (template: ClaimTemplate, subject: ClaimSubject | null): ClaimTemplate =>
  Object.fromEntries(
    Object.entries(template).flatMap(([name, value]) => {
      if (!subject && pathsIn(value).length > 0) return []
      const resolved = resolveValue(value, subject)
      return resolved === undefined ? [] : [[name, resolved]]
    }),
  )

export const areClaimsTooLarge = (claims: ClaimTemplate): boolean => countBytes(claims) > MAX_CLAIMS_BYTES

function resolveValue(value: unknown, subject: ClaimSubject | null): unknown {
  if (isClaimPath(value)) return subject ? valueAt(subject, splitClaimPath(value)) : undefined
  if (Array.isArray(value))
    return value.map((item) => resolveValue(item, subject)).filter((item) => item !== undefined)
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([key, item]) => [key, resolveValue(item, subject)] as const)
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined))
}

/** Returns the value at a path, or undefined if there is none. Only own properties of JSON values count. */
function valueAt(subject: ClaimSubject, segments: readonly string[]): unknown {
  let value: unknown = subject
  for (const segment of segments) {
    if (!isRecord(value) || !Object.hasOwn(value, segment)) return undefined
    // Of a list, only the items can be reached, not its length.
    if (Array.isArray(value) && !/^\d+$/.test(segment)) return undefined
    value = value[segment]
  }
  return value === null || value === '' ? undefined : value
}

/**
 * Returns the name under which a consent to a claim of a template is stored. It contains a hash of where the claim goes
 * and of the data that it contains, so that users are asked again if a claim gets other data. `indicator` is that of
 * the resource whose template has the claim.
 */
export const templateClaimId = (name: string, value: unknown, indicator = ''): string =>
  `${name} ${hash(JSON.stringify([indicator, ...pathsIn(value).toSorted()]))}`

/** Reports whether a consent is to a claim of a template, and not to one that a scope releases. */
export const isTemplateClaimId = (id: string): boolean => id.includes(' ')

/** Returns the names of claims, without duplicates, from the names under which consents to them are stored. */
export const claimNames = (ids: readonly string[]): string[] => [
  ...new Set(ids.map((id) => id.split(' ')[0] ?? id)),
]

/** FNV-1a with 64 bits. Only operators choose the input, so it need not withstand attacks. */
function hash(text: string): string {
  let state = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text))
    state = BigInt.asUintN(64, (state ^ BigInt(byte)) * 0x100000001b3n)
  return state.toString(36)
}
