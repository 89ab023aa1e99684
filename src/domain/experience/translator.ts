/** Texts in the notation of i18next, limited to the part that spec/experience#phrase-values describes (ADR-0166). */
import { createInstance, type InitOptions } from 'i18next'
import type { Phrases } from '../../contract/interactions/boot.ts'

export type Translate<Key extends string = string> = (key: Key, values?: Record<string, unknown>) => string

type Rules = {
  /** The language whose plural forms and lists the phrases use, as a BCP 47 tag. */
  language: string
  /** Encloses each value, or changes it in another way. By default, values are inserted unchanged. */
  wrapValue?: ((text: string) => string) | undefined
}

/**
 * The latest translators of each set of phrases, which several languages can share. All pages of a tenant in a language
 * share their phrases, so they also share a translator, and it is freed together with the phrases. No request leaves
 * anything in it.
 */
const translators = new WeakMap<Phrases, (Rules & { translate: Translate })[]>()
const MAX_TRANSLATORS = 4 // Enough for alternating languages. Our choice.

/**
 * Returns a function that finds a phrase by its dotted key and inserts values into it. A phrase with plural forms is
 * chosen by the number `count`. A missing phrase is replaced by its key. Everything is synchronous, because nothing may
 * suspend during rendering (spec/pages#rendering).
 */
export function translatorFor(phrases: Phrases, { language, wrapValue }: Rules): Translate {
  const known = translators.get(phrases) ?? []
  const suitable = known.find((rules) => rules.language === language && rules.wrapValue === wrapValue)
  if (suitable) return suitable.translate
  const translate = createTranslate(phrases, { language, wrapValue })
  translators.set(phrases, [...known, { language, wrapValue, translate }].slice(-MAX_TRANSLATORS))
  return translate
}

function createTranslate(phrases: Phrases, { language, wrapValue }: Rules): Translate {
  const i18next = createInstance()
  void i18next.init({
    ...common,
    lng: language,
    // English is here for its rules.
    resources: { [language]: { translation: phrases }, en: { translation: phrases } },
    interpolation: { ...notation, escapeValue: wrapValue !== undefined, escape: wrapValue },
    missingInterpolationHandler: () => '',
  })
  const { formatter } = i18next.services
  for (const name of unusedFormats) formatter?.add(name, (value) => value)
  formatter?.add('list', (value, _, options) => formatList(value, language, options))
  formatter?.add('zhOrSpaces', (value) => String(value).replaceAll('或', ' 或 '))
  return (key, values = {}) => {
    const options = { replace: values, nest: false }
    const { count } = values
    // By default, i18next looks for the canonical form of the tag, about which browsers disagree.
    if (typeof count !== 'number') return i18next.t(key, { ...options, lngs: [language] })
    return i18next.t(key, { ...options, lngs: [withRules(Intl.PluralRules, language)], count })
  }
}

const common = { initAsync: false, nsSeparator: false } as const satisfies InitOptions

/**
 * Values are never escaped here, because React and `escapeHtml` do so. This prefix, which no text can contain, stands
 * for i18next's second notation for values, `{{- name}}`.
 */
const notation = { escapeValue: false, unescapePrefix: '\0' } as const

/** The formats of i18next that phrases do not have. */
const unusedFormats = ['number', 'currency', 'datetime', 'relativetime']

/**
 * Formats a list with the options from a phrase, which an operator may have edited. If they are invalid, this throws,
 * and i18next separates the items by commas.
 */
function formatList(value: unknown, language: string, options: Intl.ListFormatOptions): string {
  if (!Array.isArray(value)) return String(value)
  return new Intl.ListFormat(withRules(Intl.ListFormat, language), options).format(value.map(String))
}

/**
 * Returns the language, or English if the browser does not have its rules; otherwise the browser would apply those of
 * its own default language. The check runs only when it matters, because on a slow phone the first use of `Intl` takes
 * more than half as long as hydration.
 */
function withRules(rules: { supportedLocalesOf(language: string): string[] }, language: string): string {
  return rules.supportedLocalesOf(language).length > 0 ? language : 'en'
}
