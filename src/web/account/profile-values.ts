import type { CustomValue } from '../../../client/account/custom-fields.tsx'
import type { ProfileValues } from '../../../client/account/profile.tsx'
import { addressParts, profileClaims } from '../../../client/account/profile-fields.ts'
import type { CustomField } from '../../contract/account/custom-fields.ts'
import { fieldName, shownText } from '../../domain/account/custom-fields.ts'
import type { UserRow } from '../../storage/users/users.ts'

/** What the form of the profile has of a user: the empty text for what is not there. */
export function profileValues({ name, username, profile }: UserRow): ProfileValues {
  const claims = profileClaims.map((claim) => [claim, profile[claim] ?? ''])
  const address = addressParts.map((part) => [`address.${part}`, profile.address?.[part] ?? ''])
  return { name: name ?? '', username: username ?? '', ...Object.fromEntries([...claims, ...address]) }
}

/** The same of the fields that the tenant has defined, or what was typed into them. */
export const customValues = (
  { customData }: UserRow,
  fields: readonly CustomField[],
  typed: Readonly<Record<string, string>>,
): CustomValue[] =>
  fields.map((field) => ({ field, value: typed[fieldName(field)] ?? shownText(field, customData) }))
