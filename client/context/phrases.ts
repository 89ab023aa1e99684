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

/** Phrases are shared by all pages of a language, and so is their translator. */
const translators = new WeakMap<Phrases, Translate<string>>()

/**
 * The phrases of the page's language, available at once: nothing may suspend while a page is rendered (spec/pages#rendering). They
 * are written in the notation of i18next, of which the pages use a part (spec/experience#phrase-values, ADR-0065).
 */
export function createTranslator<Key extends string = PhraseKey>({
  language,
  phrases,
}: Pick<BootData, 'language' | 'phrases'>): Translate<Key> {
  const translator = translators.get(phrases)
  if (translator) return translator

  // In a sentence from right to left, "+49" would be shown as "49+" without isolation. React escapes HTML.
  const placed = textDirection(language) === 'rtl' ? isolated : String
  const translate: Translate<string> = (key, values = {}) =>
    (findPhrase(phrases, key) ?? key).replace(PLACE, (_, name: string, formats = '') =>
      placed(formatted(values[name] ?? '', formats, language)),
    )
  translators.set(phrases, translate)
  return translate
}

/** `{{name}}` or `{{name, format, format(option: value; option: value)}}`. */
const PLACE = /\{\{\s*([^,{}]+?)\s*(?:,([^{}]*))?\}\}/g
const FORMAT = /(\w+)(?:\(([^)]*)\))?/g
const OPTION = /(\w+)\s*:\s*([^;]*\w)/g

function formatted(value: unknown, formats: string, language: string): unknown {
  let text = value
  for (const [, name, options = ''] of formats.matchAll(FORMAT)) {
    if (name === 'list' && Array.isArray(text)) text = listed(text, options, language)
    if (name === 'zhOrSpaces') text = String(text).replaceAll('或', ' 或 ')
  }
  return text
}

/** With the options of an operator, which may be wrong: then the list is separated by commas alone. */
function listed(names: unknown[], options: string, language: string): string {
  try {
    const format = Object.fromEntries([...options.matchAll(OPTION)].map(([, name, value]) => [name, value]))
    return new Intl.ListFormat(listLanguage(language), format).format(names.map(String))
  } catch {
    return String(names)
  }
}

/**
 * English where the browser does not know the lists of a language: its own default may be a third language. Asked when there is a
 * list, because the first use of `Intl` takes a slow phone more than half the time of hydration.
 */
function listLanguage(language: string): string {
  const [supported = 'en'] = Intl.ListFormat.supportedLocalesOf(language)
  return supported
}

/** First strong isolate, pop directional isolate (UAX #9). */
const isolated = (value: unknown) => `\u2068${value}\u2069`

/** Chinese and Japanese. */
const hasNoSpaces = (language: string) => /^(?:zh|ja)(?:-|$)/.test(language)

/** A word between two others. */
export const betweenWords = (word: string, language: string): string =>
  hasNoSpaces(language) ? word : ` ${word} `

/** One sentence after the other. */
export const sentences = (language: string, ...texts: string[]): string =>
  texts.join(hasNoSpaces(language) ? '' : ' ')
