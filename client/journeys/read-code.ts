import { extractDigits } from '../../src/domain/digits.ts'
import { createTranslator } from '../context/phrases.ts'
import type { FormValues } from '../reactions/reactions.ts'
import type { Validator } from './problems.ts'

export const CODE_LENGTH = 6 // spec/limits#codes

/** The names of the inputs of a code, one per digit (spec/pages#code-boxes). */
export const codeBoxNames = (field: string): string[] =>
  Array.from({ length: CODE_LENGTH }, (_, index) => `${field}_${index}`)

/** Joins the digits of the boxes. Without JavaScript, one box may contain the whole code. */
export const readCode = (form: FormValues, field: string): string =>
  extractDigits(
    codeBoxNames(field)
      .map((name) => form[name] ?? '')
      .join(''),
  )

/** Checks before the call that the code has six digits (spec/pages#validation). */
export const validateCodeIn =
  (field: string): Validator =>
  (form, boot) =>
    readCode(form, field).length === CODE_LENGTH
      ? {}
      : { [field]: createTranslator(boot)('error.invalid_passcode') }
