/** The languages of the console. The type checker names every table that lacks a language which is here. */
export const consoleLanguages = { en: 'English', de: 'Deutsch' } as const
export type ConsoleLanguage = keyof typeof consoleLanguages
/** Those into which English texts are translated. */
export type TranslatedLanguage = Exclude<ConsoleLanguage, 'en'>

/** The phrases of one part of the console. Every language has the same keys; `{name}` stands for a value. */
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

/** The one that was chosen, else the first of the browser's that is known (spec/console#document). */
export function detectLanguage(): ConsoleLanguage {
  const tags = [window.localStorage.getItem(STORAGE_KEY) ?? '', ...navigator.languages]
  return tags.map((tag) => tag.split('-')[0] ?? '').find(isConsoleLanguage) ?? 'en'
}

export const storeLanguage = (chosen: ConsoleLanguage) => window.localStorage.setItem(STORAGE_KEY, chosen)
