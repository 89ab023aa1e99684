import {
  CUSTOM_FIELD_PREFIX,
  type CustomField,
  type FieldValue,
  MAX_FIELD_TEXT_LENGTH,
  type TextByLanguage,
} from '../../contract/account/custom-fields.ts'
import { hasSpaceOrControl } from '../../contract/blank.ts'
import { isCalendarDate } from '../../contract/day.ts'

/** The rules for fields that a tenant defines (spec/account-centre#custom-fields). */

type FieldValueProblem = 'missing' | 'invalid'

const MAX_ADDRESS_LENGTH = 2048

/**
 * Returns the problem with a field's value, or null if the value is valid. A value of null means that the field is
 * empty.
 */
export function findFieldValueProblem(field: CustomField, value: unknown): FieldValueProblem | null {
  // An unticked box counts as empty, because a required box stands for an agreement and must be ticked.
  if (isEmpty(field, value)) return field.required ? 'missing' : null
  return isValid(field, value) ? null : 'invalid'
}

const isEmpty = ({ type }: CustomField, value: unknown) =>
  value === null || value === '' || (type === 'checkbox' && value === false)

function isValid(field: CustomField, value: unknown): boolean {
  if (field.type === 'checkbox') return value === true
  if (field.type === 'number') return typeof value === 'number' && isBetween(value, field)
  return typeof value === 'string' && isValidText(field, value)
}

function isValidText(field: Exclude<CustomField, { type: 'checkbox' | 'number' }>, value: string): boolean {
  switch (field.type) {
    case 'text': {
      const { minLength = 0, maxLength = MAX_FIELD_TEXT_LENGTH } = field
      return isLine(value) && isBetween(value.length, { min: minLength, max: maxLength })
    }
    case 'date':
      return isCalendarDate(value) && isBetween(value, field)
    case 'select':
      return field.options.some((option) => option.value === value)
    case 'url':
      return isAddress(value)
  }
}

type Bounds<T> = { min?: T | undefined; max?: T | undefined }
const isBetween = <T extends string | number>(value: T, { min, max }: Bounds<T>): boolean =>
  (min === undefined || value >= min) && (max === undefined || value <= max)

/**
 * Checks whether a text is a single line that the database stores unchanged: well-formed Unicode without control
 * characters.
 */
const isLine = (value: string) => value.isWellFormed() && !/\p{Cc}/u.test(value)

const isAddress = (value: string) =>
  value.length <= MAX_ADDRESS_LENGTH &&
  value.isWellFormed() &&
  !hasSpaceOrControl(value) &&
  /^https?:\/\//i.test(value) &&
  URL.canParse(value)

/** Parses form input into the value to store. Returns undefined if the input does not match the field's type. */
export function parseFieldInput({ type }: CustomField, text: string): FieldValue | undefined {
  if (text === '') return null
  switch (type) {
    case 'checkbox':
      return text === 'true' ? true : undefined
    case 'number':
      return readNumber(text)
    case 'text':
    case 'date':
    case 'select':
    case 'url':
      return text
  }
}

/** Parses a number in the language-independent format that browsers send. */
function readNumber(text: string): number | undefined {
  const value = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/**
 * Formats a stored value for its form field. Returns an empty string if the value is missing, or if another application
 * has stored a value of a different type.
 */
export function formatFieldValue(field: CustomField, data: Readonly<Record<string, unknown>>): string {
  const value = Object.hasOwn(data, field.key) ? data[field.key] : null
  if (field.type === 'checkbox') return value === true ? 'true' : ''
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export const fieldName = ({ key }: Pick<CustomField, 'key'>): string => CUSTOM_FIELD_PREFIX + key

/** Returns the text in the page's language, or else in its base language, or else in English. */
export const localizedText = (text: TextByLanguage, language: string): string =>
  text[language] ?? text[language.split('-')[0] ?? ''] ?? text.en ?? ''
