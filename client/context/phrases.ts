import type english from '../../locales/en.json'
import type { BootData, Phrases } from '../../src/contract/interactions/boot.ts'
import { textDirection } from '../../src/domain/experience/direction.ts'
import { findPhrase } from '../../src/domain/messages.ts'

type KeysOf<Part, Path extends string = ''> = {
  [Key in keyof Part & string]: Part[Key] extends string
    ? `${Path}${Key}`
    : KeysOf<Part[Key], `${Path}${Key}.`>
}[keyof Part & string]

export type PhraseKey = KeysOf<(typeof english)['translation']>

export type Translate<Key extends string = PhraseKey> = (key: Key, values?: Record<string, unknown>) => string

/**
 * The translators, keyed by phrases object. All pages in a language share their phrases, so they also share a
 * translator.
 */
const translators = new WeakMap<Phrases, Translate<string>>()

/**
 * Returns the translator of the page's language. It does so synchronously, because nothing may suspend during
 * rendering (spec/pages#rendering). Phrases use a subset of the i18next syntax (spec/experience#phrase-values,
 * ADR-0065).
 */
export function createTranslator<Key extends string = PhraseKey>({
  language,
  phrases,
}: Pick<BootData, 'language' | 'phrases'>): Translate<Key> {
  const translator = translators.get(phrases)
  if (translator) return translator

  // Without isolates, a right-to-left sentence would show "+49" as "49+". HTML is escaped later, by React.
  const insert = textDirection(language) === 'rtl' ? isolate : String
  const translate: Translate<string> = (key, values = {}) =>
    (findPhrase(phrases, key) ?? key).replace(PLACEHOLDER, (_, name: string, formats = '') =>
      insert(formatValue(values[name] ?? '', formats, language)),
    )
  translators.set(phrases, translate)
  return translate
}

/** Matches a placeholder: `{{name}}` or `{{name, format, format(option: value; option: value)}}`. */
const PLACEHOLDER = /\{\{\s*([^,{}]+?)\s*(?:,([^{}]*))?\}\}/g
const FORMAT = /(\w+)(?:\(([^)]*)\))?/g
const OPTION = /(\w+)\s*:\s*([^;]*\w)/g

function formatValue(value: unknown, formats: string, language: string): unknown {
  let text = value
  for (const [, name, options = ''] of formats.matchAll(FORMAT)) {
    if (name === 'list' && Array.isArray(text)) text = formatList(text, options, language)
    if (name === 'zhOrSpaces') text = String(text).replaceAll('或', ' 或 ')
  }
  return text
}

/**
 * Formats a list with the options from a phrase, which an operator may have edited. If the options are invalid,
 * the items are only separated by commas.
 */
function formatList(names: unknown[], options: string, language: string): string {
  try {
    const format = Object.fromEntries([...options.matchAll(OPTION)].map(([, name, value]) => [name, value]))
    return new Intl.ListFormat(listLanguage(language), format).format(names.map(String))
  } catch {
    return String(names)
  }
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

/** Wraps a value in a first strong isolate and a pop directional isolate (UAX #9). */
const isolate = (value: unknown) => `\u2068${value}\u2069`

/** Chinese and Japanese do not separate words with spaces. */
const hasNoSpaces = (language: string) => /^(?:zh|ja)(?:-|$)/.test(language)

/** Puts spaces around a word that joins two others, if the language uses spaces. */
export const surroundWithSpaces = (word: string, language: string): string =>
  hasNoSpaces(language) ? word : ` ${word} `

/** Joins sentences, with spaces between them if the language uses spaces. */
export const joinSentences = (language: string, ...texts: string[]): string =>
  texts.join(hasNoSpaces(language) ? '' : ' ')
