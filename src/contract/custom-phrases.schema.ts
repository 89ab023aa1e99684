import { z } from 'zod'
import type { Phrases } from './boot.ts'
import { knownLanguages } from './known-languages.ts'
import { isStorable } from './text.schema.ts'

export const LanguageTag = z.string().refine((tag) => knownLanguages.includes(tag), 'is not a known language')

/** Deeper than any phrase of ours, and shallow enough for every parser on the way. */
const MOST_DEPTH = 32

/** Texts under keys, at any depth. Whether English has such keys is for `domain/phrases.ts` to say. */
export const Translation = z.custom<Phrases>(
  (value) => typeof value === 'object' && isPhrases(value, MOST_DEPTH),
  'is not an object of texts, or of more such objects',
)

function isPhrases(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth === 0) return false
  return Object.entries(value).every(([key, item]) => isStorable(key) && isPhrases(item, depth - 1))
}

/** The row as it is answered. */
export const CustomPhrases = z.object({
  tenantId: z.string(),
  id: z.string(),
  languageTag: z.string(),
  translation: z.record(z.string(), z.unknown()),
})
