import {
  CUSTOM_FIELD_PREFIX,
  type CustomField,
  type FieldValue,
  MAX_FIELD_TEXT_LENGTH,
  type TextByLanguage,
} from '../../contract/account/custom-fields.ts'
import { hasBlank } from '../../contract/blank.ts'
import { isCalendarDate } from '../../contract/day.ts'

/** Rules of the fields that a tenant defines (spec/account-centre#custom-fields). */

type FieldFault = 'missing' | 'invalid'

const MAX_ADDRESS_LENGTH = 2048

/** Whether a value fits its field. Null is nothing. */
export function fieldFault(field: CustomField, value: unknown): FieldFault | null {
  // A box that must be ticked is an agreement.
  if (isNothing(field, value)) return field.required ? 'missing' : null
  return isFit(field, value) ? null : 'invalid'
}

const isNothing = ({ type }: CustomField, value: unknown) =>
  value === null || value === '' || (type === 'checkbox' && value === false)

function isFit(field: CustomField, value: unknown): boolean {
  if (field.type === 'checkbox') return value === true
  if (field.type === 'number') return typeof value === 'number' && isBetween(value, field)
  return typeof value === 'string' && isFitText(field, value)
}

function isFitText(field: Exclude<CustomField, { type: 'checkbox' | 'number' }>, value: string): boolean {
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

/** What the database answers unchanged, without an end of line. */
const isLine = (value: string) => value.isWellFormed() && !/\p{Cc}/u.test(value)

const isAddress = (value: string) =>
  value.length <= MAX_ADDRESS_LENGTH &&
  value.isWellFormed() &&
  !hasBlank(value) &&
  /^https?:\/\//i.test(value) &&
  URL.canParse(value)

/** What was typed, as the value that is stored; undefined for what is none of its type. */
export function typedValue({ type }: CustomField, text: string): FieldValue | undefined {
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

/** As browsers send it, whatever the language of the page. */
function readNumber(text: string): number | undefined {
  const value = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/** A stored value as its field shows it; the empty text for nothing, and for what another application has kept there. */
export function shownText(field: CustomField, data: Readonly<Record<string, unknown>>): string {
  const value = Object.hasOwn(data, field.key) ? data[field.key] : null
  if (field.type === 'checkbox') return value === true ? 'true' : ''
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export const fieldName = ({ key }: Pick<CustomField, 'key'>): string => CUSTOM_FIELD_PREFIX + key

/** In the language of the page, in that of which it is a variant, or in English. */
export const textIn = (text: TextByLanguage, language: string): string =>
  text[language] ?? text[language.split('-')[0] ?? ''] ?? text.en ?? ''
