import type { FieldPolicy } from './account-fields.ts'

/**
 * The profile fields that a tenant defines (spec/account-centre#custom-fields). Their values are stored in the user's
 * custom data under the key of the field.
 */

/** A text in several languages. Pages in other languages show the `en` text. */
export type TextByLanguage = Readonly<Record<string, string>>

type FieldOption = { value: string; label: TextByLanguage }

type Common = {
  key: string
  label: TextByLanguage
  access: FieldPolicy
  required: boolean
}
type OfType =
  | { type: 'text'; minLength?: number | undefined; maxLength?: number | undefined }
  | { type: 'number'; min?: number | undefined; max?: number | undefined }
  /** Dates such as `2026-11-23`. */
  | { type: 'date'; min?: string | undefined; max?: string | undefined }
  | { type: 'checkbox' }
  | { type: 'select'; options: FieldOption[] }
  | { type: 'url' }
export type CustomField = Common & OfType

/** The value of a field, or null if the field is empty. */
export type FieldValue = string | number | boolean | null

export const MAX_CUSTOM_FIELDS = 32
export const MAX_FIELD_OPTIONS = 64
/** The default length limit of a text field, in characters, and the highest limit that an operator can set. */
export const MAX_FIELD_TEXT_LENGTH = 1024

/** The pattern for keys. It excludes dots, because a key with a dot would refer to a nested object. */
const FIELD_KEY = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** Checks a key against the pattern, and rejects names that every object inherits, such as `constructor`. */
export const isFieldKey = (key: string): boolean => FIELD_KEY.test(key) && !(key in {})

/**
 * The prefix of custom fields in a form. Apart from the fields of the postal address, no other form field has a dot in
 * its name.
 */
export const CUSTOM_FIELD_PREFIX = 'custom.'
