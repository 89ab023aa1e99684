import { detectLanguage, isConsoleLanguage, type PhraseTable, storeLanguage } from './language.ts'
import { createStore } from './store.ts'
import { type Word, words } from './words.ts'

export {
  type ConsoleLanguage,
  consoleLanguages,
  type PhraseTable,
  phrases,
  type TranslatedLanguage,
} from './language.ts'

const language = createStore(detectLanguage)

export const currentLanguage = language.get
export const useLanguage = language.use

/** Sets the language of the document. */
export function applyLanguage(): void {
  document.documentElement.lang = language.get()
}

export function chooseLanguage(next: string): void {
  if (!isConsoleLanguage(next)) return
  language.set(next)
  storeLanguage(next)
  applyLanguage()
}

type Values = Readonly<Record<string, string | number>>

type KeyOf<Table> = Table extends PhraseTable<infer Key> ? Key : never
/** Translates a key of one of the tables or of the phrases that all areas share. */
type Translate<Table = never> = (key: KeyOf<Table> | Word, values?: Values) => string

/**
 * Returns a function that looks up phrases. The first table that contains the key is used, and `words` is the
 * fallback.
 */
export function useT<const Tables extends readonly PhraseTable[]>(
  ...tables: Tables
): Translate<Tables[number]> {
  const tag = useLanguage()
  return (key, values = {}) => {
    const table: PhraseTable = tables.find((each) => Object.hasOwn(each[tag], key)) ?? words
    return interpolate(table[tag][key] ?? key, values, tag)
  }
}

/** Replaces `{name}` with its value, and `{name|entry|entries}` with the plural form for its value. */
export function interpolate(text: string, values: Values, language: string): string {
  return text.replaceAll(
    /\{(\w+)(?:\|(.*?)\|(.*?))?\}/g,
    (whole, name: string, one?: string, other?: string) => {
      const value = values[name]
      if (value === undefined) return whole
      if (one === undefined || other === undefined) return String(value)
      return new Intl.PluralRules(language).select(Number(value)) === 'one' ? one : other
    },
  )
}

/** Formats dates and numbers in the language of the console. Times are in epoch milliseconds. */
export function useFormats() {
  const tag = useLanguage()
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'medium' })
  const time = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' })
  const clock = new Intl.DateTimeFormat(tag, { timeStyle: 'medium' })
  const number = new Intl.NumberFormat(tag)
  return {
    date: (at: number) => date.format(at),
    time: (at: number) => time.format(at),
    /** The time of day without the date. */
    clock: (at: number) => clock.format(at),
    number: (value: number) => number.format(value),
  }
}
