import type { Phrases } from '../../src/contract/interactions/boot.ts'
import { pluralCategories, pluralPhrases } from '../../src/domain/experience/phrases.ts'

/**
 * The operator's custom phrases in one language, by dotted key. Null or an empty string means that the built-in text
 * applies.
 */
export type PhraseTexts = Record<string, string | null>

/** Flattens nested phrases into an object with dotted keys. */
export function flatten(texts: Phrases, prefix = ''): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === 'string') flat[prefix + key] = value
    else Object.assign(flat, flatten(value, `${prefix}${key}.`))
  }
  return flat
}

/**
 * Returns the texts with exactly those plural forms that the language distinguishes. The pages use the form for `other`
 * where the texts lack one.
 */
export function withPluralForms(
  texts: Readonly<Record<string, string>>,
  language: string,
): Record<string, string> {
  const all = { ...texts }
  for (const [key, text] of Object.entries(texts)) {
    const name = pluralPhrases.find((phrase) => key.endsWith(`.${phrase}_other`))
    if (!name) continue
    const path = key.slice(0, -'_other'.length)
    const forms = pluralCategories(language).map((category) => `${path}_${category}`)
    for (const form of forms) all[form] ??= text
    for (const other of Object.keys(all))
      if (other.startsWith(`${path}_`) && !forms.includes(other)) delete all[other]
  }
  return all
}

/** Reverses `flatten`. Empty texts are omitted, so that the built-in ones apply. */
export function unflatten(list: Readonly<Partial<PhraseTexts>>): Phrases {
  const root: Phrases = {}
  for (const [path, text] of Object.entries(list)) {
    if (!text) continue
    const parts = path.split('.')
    const last = parts.pop() ?? ''
    let here = root
    for (const part of parts) {
      const next = here[part]
      const inner: Phrases = typeof next === 'object' ? { ...next } : {}
      here[part] = inner
      here = inner
    }
    here[last] = text
  }
  return root
}
