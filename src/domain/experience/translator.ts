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
 * The translators, by phrases. All pages of a tenant in a language share their phrases, so they also share a
 * translator, and it is freed together with the phrases. No request leaves anything in it.
 */
const translators = new WeakMap<Phrases, Rules & { translate: Translate }>()

/**
 * Returns a function that finds a phrase by its dotted key and inserts values into it. A phrase with plural forms is
 * chosen by the number `count`. A missing phrase is replaced by its key. Everything is synchronous, because nothing may
 * suspend during rendering (spec/pages#rendering).
 */
export function translatorFor(phrases: Phrases, { language, wrapValue }: Rules): Translate {
  const known = translators.get(phrases)
  if (known?.language === language && known.wrapValue === wrapValue) return known.translate
  const translate = createTranslate(phrases, { language, wrapValue })
  translators.set(phrases, { language, wrapValue, translate })
  return translate
}

function createTranslate(phrases: Phrases, { language, wrapValue }: Rules): Translate {
  const i18next = createInstance()
  void i18next.init({
    ...common,
    lng: language,
    resources: { [language]: { translation: phrases } },
    interpolation: { ...notation, escapeValue: wrapValue !== undefined, escape: wrapValue },
    missingInterpolationHandler: () => '',
  })
  const { formatter } = i18next.services
  for (const name of unusedFormats) formatter?.add(name, (value) => value)
  formatter?.add('list', (value, _, options) => formatList(value, language, options))
  formatter?.add('zhOrSpaces', (value) => String(value).replaceAll('或', ' 或 '))
  return (key, values = {}) =>
    i18next.t(key, {
      replace: values,
      ...(typeof values.count === 'number' && { count: values.count }),
      // The tag as it is. By default, i18next looks for its canonical form, about which browsers disagree.
      lngs: [language],
      nest: false,
    })
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
  return new Intl.ListFormat(listLanguage(language), options).format(value.map(String))
}

/**
 * Returns the language, or English if the browser cannot format lists in it; otherwise the browser would use its
 * own default language. The check runs only when a list is formatted, because on a slow phone the first use of
 * `Intl` takes more than half as long as hydration.
 */
function listLanguage(language: string): string {
  const [supported = 'en'] = Intl.ListFormat.supportedLocalesOf(language)
  return supported
}
