import type { AccountPhraseKey } from '../../../src/contract/account/account-catalogue.ts'
import type { AccountField } from '../../../src/contract/account/account-fields.ts'
import type { PhraseKey } from '../../context/phrases.ts'

/**
 * The fields of the profile, by the names under which they are submitted. A dot separates `address` from its parts.
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

export type ProfileValues = Readonly<Record<ProfileFieldName, string>>

/**
 * The groups of fields that users change together. The last group has the tenant's own fields
 * (spec/account-centre#custom-fields).
 */
export const profileGroups = ['name', 'about', 'language', 'address', 'custom'] as const
export type ProfileGroup = (typeof profileGroups)[number]

export const groupTitles = {
  name: 'name',
  about: 'about_you',
  language: 'language_and_time_zone',
  address: 'postal_address',
  custom: 'more_details',
} as const satisfies Record<ProfileGroup, AccountPhraseKey>

type ProfileField = {
  group: ProfileGroup
  name: ProfileFieldName
  label: AccountPhraseKey | PhraseKey
  /** The part of the account to which the field belongs, as the tenant can hide it. */
  part: Extract<AccountField, 'name' | 'username' | 'profile'>
  /** The attributes of the field's input. */
  input?: Readonly<Record<string, unknown>>
}

const field = (
  group: ProfileGroup,
  name: ProfileFieldName,
  label: ProfileField['label'],
  input?: ProfileField['input'],
): ProfileField => ({
  group,
  name,
  label,
  input,
  part: name === 'name' || name === 'username' ? name : 'profile',
})

/** The fields in the order in which they are shown. */
export const profileFields: readonly ProfileField[] = [
  field('name', 'name', 'full_name', { autoComplete: 'name' }),
  field('name', 'givenName', 'given_name', { autoComplete: 'given-name' }),
  field('name', 'familyName', 'family_name', { autoComplete: 'family-name' }),
  field('name', 'nickname', 'nickname', { autoComplete: 'nickname' }),
  field('name', 'username', 'input.username', {
    autoComplete: 'username',
    autoCapitalize: 'none',
    spellCheck: false,
  }),
  field('about', 'birthdate', 'birthdate'),
  field('about', 'gender', 'gender'),
  field('about', 'website', 'website', {
    type: 'url',
    autoComplete: 'url',
    maxLength: 2048,
    dir: 'ltr',
    placeholder: 'https://',
  }),
  field('language', 'locale', 'language'),
  field('language', 'zoneinfo', 'time_zone'),
  field('address', 'address.streetAddress', 'street', { autoComplete: 'street-address', maxLength: 256 }),
  field('address', 'address.postalCode', 'postal_code', { autoComplete: 'postal-code', maxLength: 32 }),
  field('address', 'address.locality', 'city', { autoComplete: 'address-level2' }),
  field('address', 'address.region', 'region', { autoComplete: 'address-level1' }),
  field('address', 'address.country', 'country'),
]

/** The genders that are offered. Any other text is shown as it is stored (OIDC Core §5.1). */
export const genders = {
  female: 'gender_female',
  male: 'gender_male',
  nonbinary: 'gender_nonbinary',
} as const satisfies Record<string, AccountPhraseKey>

export const genderPhrase = (gender: string): AccountPhraseKey | null =>
  Object.hasOwn(genders, gender) ? genders[gender as keyof typeof genders] : null

/** The option with which users enter a gender in their own words, and the name of the field for them. */
export const OWN_GENDER = '*'
export const OWN_GENDER_FIELD = 'gender.own'
