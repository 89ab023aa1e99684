/** The product's phrases, and the operator's phrases that replace them (spec/experience#custom-phrases). */
import type { Phrases } from '../../contract/interactions/boot.ts'

/** Removes empty phrases and values that are not phrases from an operator's translation. */
export function cleanPhrases(phrases: object): Phrases {
  return Object.fromEntries(
    Object.entries(phrases).flatMap(([key, value]: [string, unknown]): [string, string | Phrases][] => {
      if (typeof value === 'string') return value === '' ? [] : [[key, value]]
      if (typeof value !== 'object' || value === null) return []
      const part = cleanPhrases(value)
      return Object.keys(part).length === 0 ? [] : [[key, part]]
    }),
  )
}

/**
 * Returns `base` with its phrases replaced by those of `custom`. Phrases under keys that `base` does not have are
 * dropped.
 */
export function mergePhrases(base: Phrases, custom: Phrases): Phrases {
  return Object.fromEntries(
    Object.entries(base).map(([key, value]) => {
      const own = Object.hasOwn(custom, key) ? custom[key] : undefined
      if (typeof value === 'string') return [key, typeof own === 'string' ? own : value]
      return [key, typeof own === 'object' ? mergePhrases(value, own) : value]
    }),
  )
}

/**
 * Returns the first key of `phrases` that is missing from `reference` or has a value of another type there. Returns
 * null if there is none.
 */
export function findUnknownPhrase(phrases: Phrases, reference: Phrases): string | null {
  for (const [key, value] of Object.entries(phrases)) {
    const expected = Object.hasOwn(reference, key) ? reference[key] : undefined
    if (typeof value !== typeof expected) return key
    if (typeof value === 'string' || typeof expected !== 'object') continue
    const stray = findUnknownPhrase(value, expected)
    if (stray !== null) return `${key}.${stray}`
  }
  return null
}
