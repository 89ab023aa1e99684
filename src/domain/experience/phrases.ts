/** The product's phrases, and the operator's in their place (spec/experience#custom-phrases). */
import type { Phrases } from '../../contract/interactions/boot.ts'

/** An operator's translation without empty texts. Stored JSON may hold more than texts. */
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

/** `base` with the texts of `custom` in their places. Texts of other keys are left out. */
export function mergePhrases(base: Phrases, custom: Phrases): Phrases {
  return Object.fromEntries(
    Object.entries(base).map(([key, value]) => {
      const own = Object.hasOwn(custom, key) ? custom[key] : undefined
      if (typeof value === 'string') return [key, typeof own === 'string' ? own : value]
      return [key, typeof own === 'object' ? mergePhrases(value, own) : value]
    }),
  )
}

/** The first key of `phrases` that `whole` does not have, or has as another type; null when there is none. */
export function strayPhrase(phrases: Phrases, whole: Phrases): string | null {
  for (const [key, value] of Object.entries(phrases)) {
    const place = Object.hasOwn(whole, key) ? whole[key] : undefined
    if (typeof value !== typeof place) return key
    if (typeof value === 'string' || typeof place !== 'object') continue
    const stray = strayPhrase(value, place)
    if (stray !== null) return `${key}.${stray}`
  }
  return null
}
