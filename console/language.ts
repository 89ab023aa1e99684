/** The languages of the console. The type checker names every table that lacks a language which is here. */
export const consoleLanguages = { en: 'English', de: 'Deutsch' } as const
export type ConsoleLanguage = keyof typeof consoleLanguages

const STORED = 'console-language'

export function isKnown(tag: string): tag is ConsoleLanguage {
  return Object.hasOwn(consoleLanguages, tag)
}

/** The one that was chosen, else the first of the browser's that is known (spec/console#document). */
export function firstLanguage(): ConsoleLanguage {
  const wanted = [window.localStorage.getItem(STORED) ?? '', ...navigator.languages]
  return wanted.map((tag) => tag.split('-')[0] ?? '').find(isKnown) ?? 'en'
}

export const storeLanguage = (chosen: ConsoleLanguage) => window.localStorage.setItem(STORED, chosen)
