import { z } from 'zod'
import { isCalendarDate } from '../day.ts'
import { LanguageTag } from '../experience/custom-phrases.schema.ts'
import { singleLineText } from '../text.schema.ts'
import { fieldPolicies } from './account-fields.ts'
import {
  type CustomField,
  isFieldKey,
  MAX_CUSTOM_FIELDS,
  MAX_FIELD_OPTIONS,
  MAX_FIELD_TEXT_LENGTH,
} from './custom-fields.ts'

const Label = z.record(LanguageTag, singleLineText(128)).refine((label) => label.en, 'has no entry for en')
const Length = z.int().min(0).max(MAX_FIELD_TEXT_LENGTH).optional()
const Bound = z.number().optional()
const Day = z.string().refine(isCalendarDate, 'is not YYYY-MM-DD').optional()

const Options = z
  .array(z.strictObject({ value: singleLineText(128), label: Label }))
  .min(1)
  .max(MAX_FIELD_OPTIONS)
  .refine((options) => areDistinct(options.map(({ value }) => value)), 'contains the same value twice')

const common = {
  key: z
    .string()
    .refine(isFieldKey, 'must consist of 1 to 64 letters, digits, - or _ and start with a letter'),
  label: Label,
  access: z.enum(fieldPolicies).default('edit'),
  required: z.boolean().default(false),
}
const Field = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text'), ...common, minLength: Length, maxLength: Length }),
    z.strictObject({ type: z.literal('number'), ...common, min: Bound, max: Bound }),
    z.strictObject({ type: z.literal('date'), ...common, min: Day, max: Day }),
    z.strictObject({ type: z.literal('checkbox'), ...common }),
    z.strictObject({ type: z.literal('select'), ...common, options: Options }),
    z.strictObject({ type: z.literal('url'), ...common }),
  ])
  .refine(({ access, required }) => access === 'edit' || !required, {
    path: ['required'],
    message: 'cannot be required of users who may not edit the field',
  })
  .refine(hasRoom, 'has a minimum above its maximum')

/** Rejects unknown keys, because the value comes from a request. */
export const CustomFields = z
  .array(Field)
  .max(MAX_CUSTOM_FIELDS)
  .refine((fields) => areDistinct(fields.map(({ key }) => key)), 'contains the same key twice')

/**
 * A stored field. If this version cannot parse the field, it is hidden from users, and applications cannot change its
 * value for a user.
 */
const StoredField = Field.catch(({ value }) => unreadableField(value))
export const StoredCustomFields = z
  .array(StoredField)
  .transform((fields) => fields.filter(({ key }) => isFieldKey(key)))

function unreadableField(stored: unknown): z.infer<typeof Field> {
  const key = typeof stored === 'object' && stored && 'key' in stored ? String(stored.key) : ''
  return { type: 'text', key, label: { en: key }, access: 'off', required: false }
}

const areDistinct = (keys: readonly string[]) => new Set(keys).size === keys.length

function hasRoom(field: CustomField): boolean {
  switch (field.type) {
    case 'text':
      return (field.minLength ?? 0) <= (field.maxLength ?? MAX_FIELD_TEXT_LENGTH)
    case 'number':
      return (field.min ?? Number.NEGATIVE_INFINITY) <= (field.max ?? Number.POSITIVE_INFINITY)
    case 'date':
      return (field.min ?? '') <= (field.max ?? '9999')
    case 'checkbox':
    case 'select':
    case 'url':
      return true
  }
}
