import type { CallingCode } from '../forms/phone-numbers.ts'

/** One row of the list: a calling code, and the countries that have it by their names. */
export type CountryRow = { code: string; names: readonly string[]; hasMore: boolean }

/** Product 5: what is searched for as a code, with or without its plus. */
export const isCode = (query: string): boolean => /^\+?\d*$/.test(query)

/** Of a code that more countries share than are worth reading, the one that comes to mind stands for all. */
const MOST_NAMES = 3

/**
 * The calling codes that begin with what is searched for (contract 10.3), or those of countries with a word in their
 * name that does. `nameOf` says it in the language of the page.
 */
export function searchCountries(
  codes: readonly CallingCode[],
  typed: string,
  nameOf: (country: string) => string,
): CountryRow[] {
  const query = typed.trim()
  if (isCode(query)) {
    const digits = query.replace('+', '')
    return codes
      .filter(({ code }) => code.startsWith(digits))
      .map(({ code, countries }) => ({ code, ...shortened(countries.map(nameOf)) }))
  }
  const wanted = plain(query)
  return codes.flatMap(({ code, countries }) => {
    const names = countries.map(nameOf).filter((name) => hasWord(plain(name), wanted))
    return names.length > 0 ? [{ code, ...shortened(names) }] : []
  })
}

const shortened = (names: readonly string[]) =>
  names.length > MOST_NAMES ? { names: names.slice(0, 1), hasMore: true } : { names, hasMore: false }

/** Whoever searches leaves out accents and capitals. */
const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase()

const hasWord = (name: string, start: string) => ` ${name.replaceAll(/[-(]/g, ' ')}`.includes(` ${start}`)
