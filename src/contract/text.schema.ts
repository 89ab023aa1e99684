import { z } from 'zod'
import { hasSpaceOrControl } from './blank.ts'
import { CUSTOM_ID_PATTERN } from './tenants/hosts.ts'

/** Matches text without NUL, which C libraries treat as the end of a string. */
const STORABLE = /^[^\0]*$/

export const isStorable = (value: string) => STORABLE.test(value) && value.isWellFormed()

export const UNSTORABLE = 'contains characters that cannot be stored'

/** A string that the database returns unchanged. */
export const storableText = (max: number) => z.string().max(max).refine(isStorable, UNSTORABLE)

/**
 * An id that an operator chooses so that settings files can refer to the entity. It is at most as long as a generated
 * id (spec/storage#ids).
 */
export const CustomId = z.string().regex(CUSTOM_ID_PATTERN, 'must consist of 1 to 21 letters, digits, - or _')

/** Accepts an empty string as another way to clear a column (spec/storage#empty-text). */
export const clearableValue = <T extends z.ZodType>(schema: T) =>
  z.union([schema, z.literal(''), z.null()]).transform((value) => value || null)

/**
 * Matches control characters, line and paragraph separators, and characters that change the direction of the
 * surrounding text.
 */
const UNFIT_FOR_A_LINE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/u

/**
 * A name that fits on one line of a page, a header or a text message. Its characters can neither end the line nor
 * change the direction of the text around it.
 */
export const singleLineText = (max: number) =>
  storableText(max)
    .min(1)
    .refine(
      (value) => value === value.trim() && !UNFIT_FOR_A_LINE.test(value),
      'is not one line of plain text',
    )

/** A URL that a browser can open. */
export const WebAddress = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .refine(
    (value) => isStorable(value) && !hasSpaceOrControl(value),
    'contains characters that are not allowed in a URL',
  )

export const HttpsAddress = WebAddress.refine((value) => value.startsWith('https:'), 'must use https')
