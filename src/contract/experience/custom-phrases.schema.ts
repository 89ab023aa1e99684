import { z } from 'zod'
import type { Phrases } from '../interactions/boot.ts'
import { isStorable } from '../text.schema.ts'
import { knownLanguages } from './known-languages.ts'
import { languageCodes } from './language-codes.ts'

/** The maximum length of a language tag, limited by the column. */
const MAX_TAG_LENGTH = 16

/**
 * A tag with language, script and region, spelled as in BCP 47. Some older tags are accepted as well
 * (spec/experience#known-languages).
 */
const STANDARD_TAG =
  /^(?<language>[a-z]{2,3})(?:-(?<script>[A-Z][a-z]{3}))?(?:-(?:(?<country>[A-Z]{2})|(?<area>\d{3})))?$/

/** The areas with languages of their own in CLDR: the world, Europe, Latin America. */
const AREAS = ['001', '150', '419']

/** Codes that CLDR names, but that are not a country: pseudo-locales, groups of countries and an unknown region. */
const NO_COUNTRIES = ['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']

/** Codes that CLDR names, but that are not a script: private use, notations, and text without a script of its own. */
const NO_SCRIPTS = ['Qaag', 'Zinh', 'Zmth', 'Zsye', 'Zsym', 'Zxxx', 'Zyyy', 'Zzzz']

/** A tag that names a known language and, if it has them, a known script and a known region. */
export const LanguageTag = z
  .string()
  .max(MAX_TAG_LENGTH)
  .refine((tag) => isStandardTag(tag) && isKnownTag(tag), 'is not a known language tag')

/** A tag whose phrases may be stored, even if an earlier version stored them under a language that is not known. */
export const StoredLanguageTag = z
  .string()
  .max(MAX_TAG_LENGTH)
  .refine(isStandardTag, 'is not a BCP 47 language tag')

function isStandardTag(tag: string): boolean {
  return knownLanguages.includes(tag) || (STANDARD_TAG.test(tag) && Intl.getCanonicalLocales(tag)[0] === tag)
}

function isKnownTag(tag: string): boolean {
  const { language = '', script, country, area } = STANDARD_TAG.exec(tag)?.groups ?? {}
  return (
    knownLanguages.includes(tag) ||
    (languageCodes.has(language) &&
      (script === undefined || isNamed('script', script, NO_SCRIPTS)) &&
      (country === undefined || isNamed('region', country, NO_COUNTRIES)) &&
      (area === undefined || AREAS.includes(area)))
  )
}

const isNamed = (type: 'script' | 'region', code: string, exceptions: string[]) =>
  !exceptions.includes(code) && new Intl.DisplayNames('en', { type, fallback: 'none' }).of(code) !== undefined

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
