import { z } from 'zod'

/** NUL ends strings in C libraries below us, and a lone surrogate has no UTF-8 form: both would change on the way to the database. */
const STORABLE = /^[^\0]*$/

/** A string that is the same after it was stored. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => STORABLE.test(value) && value.isWellFormed(), 'contains characters that cannot be stored')
