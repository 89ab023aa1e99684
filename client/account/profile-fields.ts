import type { AccountPhraseKey } from '../../src/contract/account/account-catalogue.ts'

/**
 * The fields of the profile form, by the names under which they are submitted. A dot separates `address` from its
 * parts.
 */
export const profileClaims = [
  'givenName',
  'familyName',
  'nickname',
  'birthdate',
  'gender',
  'website',
  'locale',
  'zoneinfo',
] as const
export const addressParts = ['streetAddress', 'locality', 'region', 'postalCode', 'country'] as const

export type ProfileFieldName =
  | 'name'
  | 'username'
  | (typeof profileClaims)[number]
  | `address.${(typeof addressParts)[number]}`

type FormField = { name: ProfileFieldName; label: AccountPhraseKey; [attribute: string]: unknown }

export const personFields = [
  { name: 'givenName', label: 'given_name', autoComplete: 'given-name' },
  { name: 'familyName', label: 'family_name', autoComplete: 'family-name' },
  { name: 'nickname', label: 'nickname', autoComplete: 'nickname' },
  // A text field rather than a date field, because the value may be only a year, or a day without a year.
  {
    name: 'birthdate',
    label: 'birthdate',
    autoComplete: 'bday',
    placeholder: '1990-12-31',
    maxLength: 10,
    dir: 'ltr',
  },
  { name: 'gender', label: 'gender', autoComplete: 'sex', maxLength: 64 },
  { name: 'website', label: 'website', type: 'url', autoComplete: 'url', maxLength: 2048, dir: 'ltr' },
] as const satisfies readonly FormField[]

export const addressFields = [
  { name: 'address.streetAddress', label: 'street', autoComplete: 'street-address', maxLength: 256 },
  { name: 'address.postalCode', label: 'postal_code', autoComplete: 'postal-code', maxLength: 32 },
  { name: 'address.locality', label: 'city', autoComplete: 'address-level2' },
  { name: 'address.region', label: 'region', autoComplete: 'address-level1' },
  { name: 'address.country', label: 'country', autoComplete: 'country-name' },
] as const satisfies readonly FormField[]
