/** The product's phrases, and the operator's phrases that replace them (spec/experience#custom-phrases). */
import type { Phrases } from '../../contract/interactions/boot.ts'
import { toStandardTag } from './standard-tag.ts'

/**
 * The phrases with plural forms, by their last key. Each form is a text of its own under this key and its category,
 * such as `factor_few_codes_one` (spec/experience#plural-forms).
 */
export const pluralPhrases = ['factor_few_codes', 'factor_put_offs_left'] as const

/** Returns the categories of plural forms that a language distinguishes. */
export const pluralCategories = (language: string): Intl.LDMLPluralRule[] =>
  new Intl.PluralRules(toStandardTag(language)).resolvedOptions().pluralCategories

/** Splits the key of a plural form. A text for all forms has no category. Returns null for all other keys. */
function splitPluralKey(key: string): { name: string; category: string } | null {
  const name = pluralPhrases.find((name) => key === name || key.startsWith(`${name}_`))
  return name === undefined ? null : { name, category: key.slice(name.length + 1) }
}

/** The last keys of phrases that earlier versions had. Operators may still send their own texts for them. */
const formerPhrases: readonly string[] = ['factor_use_app', 'factor_use_backup_code', 'password_hint']

/** Removes empty and former phrases, and values that are not phrases, from an operator's translation. */
export function cleanPhrases(phrases: object): Phrases {
  return Object.fromEntries(
    Object.entries(phrases).flatMap(([key, value]: [string, unknown]): [string, string | Phrases][] => {
      if (formerPhrases.includes(key)) return []
      if (typeof value === 'string') return value === '' ? [] : [[key, value]]
      if (typeof value !== 'object' || value === null) return []
      const part = cleanPhrases(value)
      return Object.keys(part).length === 0 ? [] : [[key, part]]
    }),
  )
}

/**
 * Returns `base` with its texts replaced by those of `custom`. Texts under keys that `base` does not have are dropped,
 * unless they are plural forms. A custom text without a category replaces all plural forms of its phrase.
 */
export function mergePhrases(base: Phrases, custom: Phrases): Phrases {
  const ownText = (key: string) =>
    Object.hasOwn(custom, key) && typeof custom[key] === 'string' ? custom[key] : null
  const merged = Object.entries(base).flatMap(([key, value]): [string, string | Phrases][] => {
    const plural = splitPluralKey(key)
    if (plural && ownText(plural.name) !== null) return []
    if (typeof value === 'string') return [[key, ownText(key) ?? value]]
    const own = Object.hasOwn(custom, key) ? custom[key] : undefined
    return [[key, typeof own === 'object' ? mergePhrases(value, own) : value]]
  })
  const forms = Object.entries(custom).filter(([key, text]) => {
    const plural = splitPluralKey(key)
    return plural && typeof text === 'string' && Object.hasOwn(base, `${plural.name}_other`)
  })
  return Object.fromEntries([...merged, ...forms])
}

/**
 * Returns the first key of `phrases` that is missing from `reference` or has a value of another type there. Returns
 * null if there is none. Plural forms may have the categories of the language, or none.
 */
export function findUnknownPhrase(phrases: Phrases, reference: Phrases, language: string): string | null {
  for (const [key, value] of Object.entries(phrases)) {
    const expected = Object.hasOwn(reference, key) ? reference[key] : pluralText(key, reference, language)
    if (typeof value !== typeof expected) return key
    if (typeof value === 'string' || typeof expected !== 'object') continue
    const stray = findUnknownPhrase(value, expected, language)
    if (stray !== null) return `${key}.${stray}`
  }
  return null
}

/**
 * Returns the text of `reference` that a plural form can accompany or replace, if the language has this form. Every
 * language can have a text for zero.
 */
function pluralText(key: string, reference: Phrases, language: string): string | Phrases | undefined {
  const plural = splitPluralKey(key)
  const isForm = plural && ['', 'zero', ...pluralCategories(language)].includes(plural.category)
  return isForm ? reference[`${plural.name}_other`] : undefined
}
