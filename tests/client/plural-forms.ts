type Text = [key: string, text: string]

/** The plural forms of phrases by their keys, each with its category (spec/experience#plural-forms). */
type Forms = Record<string, Record<string, string>>

/** Returns the keys of the phrases that have plural forms in English, without their categories. */
const pluralKeys = (english: readonly Text[]) =>
  english.flatMap(([key]) => (key.endsWith('_one') ? [key.slice(0, -'_one'.length)] : []))

/** Separates the plural forms from a list of texts. In the list, the form for `other` represents the phrase. */
export function separateForms(
  texts: readonly Text[],
  english: readonly Text[],
): { phrases: Text[]; forms: Forms } {
  const keys = pluralKeys(english)
  const forms: Forms = Object.fromEntries(keys.map((key) => [key, {}]))
  const phrases = texts.flatMap(([key, text]): Text[] => {
    const name = keys.find((each) => key.startsWith(`${each}_`))
    if (!name) return [[key, text]]
    const category = key.slice(name.length + 1)
    forms[name] = { ...forms[name], [category]: text }
    return category === 'other' ? [[name, text]] : []
  })
  return { phrases, forms }
}

/** Returns the categories that a language distinguishes among the numbers that occur in phrases, and `other`. */
export function categoriesOf(language: string): string[] {
  const rules = new Intl.PluralRules(language)
  const used = new Set(Array.from({ length: 201 }, (_, count) => rules.select(count)))
  return ['zero', 'one', 'two', 'few', 'many', 'other'].filter(
    (category) => category === 'other' || used.has(category as Intl.LDMLPluralRule),
  )
}

/** The categories whose texts may spell the number out, where a language has words like "once" and "twice". */
export const spelledOut = ['zero', 'one', 'two']
