import type { CallingCode } from '../forms/phone-numbers.ts'

/** One row of the list: a calling code, and the countries that have it by their names. */
export type CountryRow = { code: string; names: readonly string[]; hasMore: boolean }

/** Whether the query is a calling code, with or without its plus (spec/pages#phone-numbers). */
export const isCode = (query: string): boolean => /^\+?\d*$/.test(query)

/** A code that more countries share is shown with the first of them alone. */
const MOST_NAMES = 3

/**
 * The calling codes that begin with the query, or those of countries with a word in their name that does
 * (spec/pages#phone-numbers). `nameOf` gives the name in the language of the page.
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
  const wanted = withoutAccents(query)
  return codes.flatMap(({ code, countries }) => {
    const names = countries.map(nameOf).filter((name) => hasWord(withoutAccents(name), wanted))
    return names.length > 0 ? [{ code, ...shortened(names) }] : []
  })
}

const shortened = (names: readonly string[]) =>
  names.length > MOST_NAMES ? { names: names.slice(0, 1), hasMore: true } : { names, hasMore: false }

/** Accents and capitals make no difference. */
const withoutAccents = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase()

const hasWord = (name: string, start: string) => ` ${name.replaceAll(/[-(]/g, ' ')}`.includes(` ${start}`)
