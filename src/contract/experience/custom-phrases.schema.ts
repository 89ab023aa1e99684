import { z } from 'zod'
import type { Phrases } from '../interactions/boot.ts'
import { isStorable } from '../text.schema.ts'
import { knownLanguages } from './known-languages.ts'

/** The maximum length of a language tag, limited by the column. */
const MAX_TAG_LENGTH = 16

/**
 * A tag with language, script and region, spelled as in BCP 47. Some older tags are accepted as well
 * (spec/experience#known-languages).
 */
const STANDARD_TAG = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/

export const LanguageTag = z
  .string()
  .max(MAX_TAG_LENGTH)
  .refine((tag) => knownLanguages.includes(tag) || isStandardTag(tag), 'is not a BCP 47 language tag')

const isStandardTag = (tag: string) => STANDARD_TAG.test(tag) && Intl.getCanonicalLocales(tag)[0] === tag

/** The maximum nesting depth. The built-in phrases need fewer levels, and every parser can handle this many. */
const MAX_DEPTH = 32

/**
 * Phrases by key, nested to any depth. `domain/experience/phrases.ts` checks whether the keys exist in the English
 * catalogue.
 */
export const Translation = z.custom<Phrases>(
  (value) => typeof value === 'object' && isPhrases(value, MAX_DEPTH),
  'is not an object of texts or nested objects of texts',
)

function isPhrases(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth === 0) return false
  return Object.entries(value).every(([key, item]) => isStorable(key) && isPhrases(item, depth - 1))
}

/** The phrases of a language as the API returns them. */
export const CustomPhrasesSchema = z.object({
  tenantId: z.string(),
  id: z.string(),
  languageTag: z.string(),
  translation: z.record(z.string(), z.unknown()),
})
