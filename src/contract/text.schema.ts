import { z } from 'zod'

/** NUL ends strings in C libraries below us, and a lone surrogate has no UTF-8 form: both would change on the way to the database. */
const STORABLE = /^[^\0]*$/

export const isStorable = (value: string) => STORABLE.test(value) && value.isWellFormed()

/** A string that is the same after it was stored. */
export const text = (max: number) =>
  z.string().max(max).refine(isStorable, 'contains characters that cannot be stored')

/** An id an operator chooses, so that a file can name what it describes; as long as ours at most (contract 6). */
export const OwnId = z.string().regex(/^[\w-]{1,21}$/, 'is not up to 21 letters, digits, - and _')

/** '' clears a column just as null does (contract 6). */
export const clearable = <T extends z.ZodType>(schema: T) =>
  z.union([schema, z.literal(''), z.null()]).transform((value) => value || null)

/** Parsers of URLs drop or encode these in silence: what was checked and what is used would differ. */
const BLANK = /[\s\p{Cc}]/u

/** An address a browser can open. */
export const WebAddress = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .refine(
    (value) => isStorable(value) && !BLANK.test(value),
    'contains characters that have no place in a URL',
  )
