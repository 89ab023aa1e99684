/** What needs the numbering plans of the world: a chunk of its own, reached through `phones.ts`. */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/mobile'
import metadata from 'libphonenumber-js/mobile/metadata'
import { defaultCountry } from '../../src/domain/default-country.ts'

const countriesByCode: Readonly<Record<string, readonly CountryCode[]>> = metadata.country_calling_codes
const codesByCountry = new Map<string, string>(
  Object.entries(countriesByCode).flatMap(([code, countries]) =>
    countries.map((country): [string, string] => [country, code]),
  ),
)

export type CallingCode = { code: string; countries: readonly string[] }

/** Where a number is from that does not say it (contract 10.3). */
export function homeOf(language: string): { country: string; code: string } {
  const country = defaultCountry(language, new Set(codesByCountry.keys()))
  return { country, code: codesByCountry.get(country) ?? '1' }
}

/** Every calling code once, that of the language first, the others sorted as strings (contract 10.3). */
export function callingCodes(language: string): CallingCode[] {
  const home = homeOf(language)
  const others = Object.keys(countriesByCode)
    .filter((code) => code !== home.code)
    .sort()
  const rest = others.map((code) => ({ code, countries: countriesByCode[code] ?? [] }))
  const shared = (countriesByCode[home.code] ?? []).filter((country) => country !== home.country)
  return [{ code: home.code, countries: [home.country, ...shared] }, ...rest]
}

export type PhoneNumber = { callingCode: string; national: string }

/**
 * A phone number as people write it: national, or international with a plus or two zeros. Null when there is none
 * like it (product 5): what is longer than the library's limits among others.
 */
export function readPhone(text: string, callingCode: string): PhoneNumber | null {
  const candidates = [
    ...(text.startsWith('00') ? [`+${text.slice(2)}`] : []),
    text,
    // The calling code is typed again by those who do not see that it stands there already.
    ...(text.startsWith(callingCode) ? [`+${text}`] : []),
  ]
  for (const candidate of candidates) {
    const number = parsePhoneNumberFromString(candidate, { defaultCallingCode: callingCode })
    if (number?.isValid()) return { callingCode: number.countryCallingCode, national: number.nationalNumber }
  }
  return null
}
