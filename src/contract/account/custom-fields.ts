import type { FieldPolicy } from './account-fields.ts'

/**
 * Fields of the profile that a tenant defines (spec/account-centre#custom-fields). Values are kept in the custom data of the
 * user, under the key of the field.
 */

/** A text by language; `en` is shown where there is none in the language of the page. */
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
  /** Days, as `2026-11-23`. */
  | { type: 'date'; min?: string | undefined; max?: string | undefined }
  | { type: 'checkbox' }
  | { type: 'select'; options: FieldOption[] }
  | { type: 'url' }
export type CustomField = Common & OfType

/** What a field holds; null for nothing. */
export type FieldValue = string | number | boolean | null

export const MAX_CUSTOM_FIELDS = 32
export const MAX_FIELD_OPTIONS = 64
/** Characters of a text without a limit of its own, and the highest such limit. */
export const MAX_FIELD_TEXT_LENGTH = 1024

/** None that every object has, such as `__proto__`; and no dot, which leads into an object. */
const FIELD_KEY = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** Names that every object has are letters alone, too. */
export const isFieldKey = (key: string): boolean => FIELD_KEY.test(key) && !(key in {})

/** Of a form: its other fields are named without a dot, or by an address. */
export const CUSTOM_FIELD_PREFIX = 'custom.'
