import { toStandardTag } from '../../src/domain/experience/standard-tag.ts'
import type { CountryCallingCode } from '../phones/phone-numbers.ts'

/** A row of the list: a country with its name in the language of the page. */
export type CountryRow = CountryCallingCode & {
  name: string
  isLikely: boolean
  /** Other names of the country in searchable form: its ISO code and short names. */
  keys: readonly string[]
}

/** Checks whether the query is a calling code, with or without the plus sign (spec/pages#phone-numbers). */
export const isCallingCode = (query: string): boolean => /^\+?\d*$/.test(query)

/**
 * Lists the likely countries first, followed by the others in the language's alphabetical order
 * (spec/pages#phone-numbers).
 */
export function listCountries(
  countries: readonly CountryCallingCode[],
  { language, likely }: { language: string; likely: readonly string[] },
): CountryRow[] {
  const tag = toStandardTag(language)
  const names = new Intl.DisplayNames(tag, { type: 'region' })
  const shortNames = new Intl.DisplayNames(tag, { type: 'region', style: 'short' })
  const { compare } = new Intl.Collator(tag)
  const rows = countries
    .map((each) => ({
      ...each,
      name: names.of(each.country) ?? each.country,
      isLikely: likely.includes(each.country),
      keys: [each.country, shortNames.of(each.country) ?? '', ...(commonNames[each.country] ?? [])].map(
        normalize,
      ),
    }))
    .toSorted((one, other) => compare(one.name, other.name))
  const first = [...new Set(likely)].flatMap((country) => rows.find((row) => row.country === country) ?? [])
  return [...first, ...rows.filter(({ isLikely }) => !isLikely)]
}

/**
 * Returns the countries that match the query, best matches first: by the beginning of the calling code, by ISO
 * code or short name, or by the beginning of a word in the name (spec/pages#phone-numbers).
 */
export function searchCountries(rows: readonly CountryRow[], text: string): CountryRow[] {
  const query = text.trim()
  const digits = query.replace('+', '')
  if (digits === '') return [...rows]
  const start = normalize(query)
  const rankOf = isCallingCode(query) ? codeRank(digits) : nameRank(start)
  return rows
    .flatMap((row) => ({ row, rank: rankOf(row) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ row }) => row)
}

const NO_MATCH = 3

const codeRank = (digits: string) => (row: CountryRow) => {
  if (row.code === digits) return row.isLikely || row.isMain ? 0 : 1
  return row.code.startsWith(digits) ? 2 : NO_MATCH
}

const nameRank = (start: string) => (row: CountryRow) => {
  const local = localName(row.country)
  if (row.keys.includes(start) || local === start) return 0
  const name = normalize(row.name)
  const isMatch = hasWord(name, start) || hasWord(local, start)
  if (!isMatch && !row.keys.slice(1).some((key) => key.startsWith(start))) return NO_MATCH
  return row.isLikely || name.startsWith(start) ? 1 : 2
}

const localNames = new Map<string, string>()

/**
 * Returns the name of a country in its most common language, in searchable form. The names are looked up only once the
 * user searches by name, because that takes about 30 ms.
 */
function localName(country: string): string {
  const known = localNames.get(country)
  if (known !== undefined) return known
  const { baseName } = new Intl.Locale(`und-${country}`).maximize()
  const name = normalize(new Intl.DisplayNames(baseName, { type: 'region' }).of(country) ?? '')
  localNames.set(country, name)
  return name
}

/** Removes accents, full stops and apostrophes, and converts to lower case. */
const normalize = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/[\p{M}.'\u2019]/gu, '')
    .toLowerCase()

const hasWord = (name: string, start: string) => ` ${name.replaceAll(/[-(&]/g, ' ')}`.includes(` ${start}`)

/** Names that users type, but that are neither ISO codes nor names that `Intl` provides in every language. */
const commonNames: Readonly<Record<string, readonly string[]>> = {
  AE: ['uae', 'emirates'],
  CD: ['drc', 'zaire'],
  CI: ['ivory coast'],
  CN: ['prc'],
  CV: ['cape verde'],
  CZ: ['czech republic'],
  GB: ['uk', 'britain', 'great britain', 'england', 'scotland', 'wales'],
  KP: ['dprk'],
  KR: ['rok'],
  MK: ['macedonia'],
  MM: ['burma'],
  NL: ['holland'],
  SA: ['ksa'],
  SZ: ['swaziland'],
  TL: ['east timor'],
  TR: ['turkey'],
  TW: ['roc'],
  US: ['usa', 'america'],
  ZA: ['rsa'],
}
