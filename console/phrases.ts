import { useSyncExternalStore } from 'react'
import { type ConsoleLanguage, firstLanguage, isKnown, storeLanguage } from './language.ts'

export { type ConsoleLanguage, consoleLanguages } from './language.ts'

/** Those into which English texts are translated. */
export type TranslatedLanguage = Exclude<ConsoleLanguage, 'en'>

const listeners = new Set<() => void>()
let language: ConsoleLanguage = firstLanguage()

/** Until one is chosen, the language is that of the browser. */
export function startLanguage(): void {
  document.documentElement.lang = language
}

export function chooseLanguage(next: string): void {
  if (!isKnown(next)) return
  language = next
  storeLanguage(next)
  startLanguage()
  for (const listener of listeners) listener()
}

export const currentLanguage = (): ConsoleLanguage => language

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLanguage = (): ConsoleLanguage =>
  useSyncExternalStore(subscribe, currentLanguage, currentLanguage)

type Values = Readonly<Record<string, string | number>>

/** The phrases of one part of the console. Every language has the same keys; `{name}` stands for a value. */
type PhraseTable<Key extends string> = Readonly<Record<ConsoleLanguage, Readonly<Record<Key, string>>>>

export const phrases = <const T extends Record<string, string>>(
  given: { en: T } & Readonly<Record<TranslatedLanguage, Record<keyof T, string>>>,
): PhraseTable<keyof T & string> => given

/** The function that a component asks for a phrase of its table. */
export function useT<Key extends string>(table: PhraseTable<Key>): (key: Key, values?: Values) => string {
  const known = table[useLanguage()]
  return (key, values = {}) =>
    known[key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** Dates and numbers in the language of the console. Times are epoch milliseconds. */
export function useFormats() {
  const tag = useLanguage()
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'medium' })
  const time = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' })
  const clock = new Intl.DateTimeFormat(tag, { timeStyle: 'medium' })
  const number = new Intl.NumberFormat(tag)
  return {
    date: (at: number) => date.format(at),
    time: (at: number) => time.format(at),
    /** The time of the day alone. */
    clock: (at: number) => clock.format(at),
    number: (value: number) => number.format(value),
  }
}
