/** The languages of the console. A table of phrases that lacks one of them doesn't compile. */
export const consoleLanguages = { en: 'English', de: 'Deutsch' } as const
export type ConsoleLanguage = keyof typeof consoleLanguages
/** The languages that English phrases are translated into. */
export type TranslatedLanguage = Exclude<ConsoleLanguage, 'en'>

/**
 * The phrases of one part of the console. All languages have the same keys, and `{name}` is a placeholder for a value.
 */
export type PhraseTable<Key extends string = string> = Readonly<
  Record<ConsoleLanguage, Readonly<Record<Key, string>>>
>

export const phrases = <const T extends Record<string, string>>(
  table: { en: T } & Readonly<Record<TranslatedLanguage, Record<keyof T, string>>>,
): PhraseTable<keyof T & string> => table

const STORAGE_KEY = 'console-language'

export function isConsoleLanguage(tag: string): tag is ConsoleLanguage {
  return Object.hasOwn(consoleLanguages, tag)
}

/** Returns the chosen language, or else the first supported language of the browser (spec/console#document). */
export function detectLanguage(): ConsoleLanguage {
  const tags = [window.localStorage.getItem(STORAGE_KEY) ?? '', ...navigator.languages]
  return tags.map((tag) => tag.split('-')[0] ?? '').find(isConsoleLanguage) ?? 'en'
}

export const storeLanguage = (language: ConsoleLanguage) => window.localStorage.setItem(STORAGE_KEY, language)
