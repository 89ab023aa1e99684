/** What needs the numbering plans of all countries: a chunk of its own, loaded by `phones.ts` (ADR-0030). */
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

/** The country of a number that does not name it (spec/pages#phone-numbers). */
export function homeOf(language: string): { country: string; code: string } {
  const country = defaultCountry(language, new Set(codesByCountry.keys()))
  return { country, code: codesByCountry.get(country) ?? '1' }
}

/** Every calling code once, that of the language first, the others sorted as strings (spec/pages#phone-numbers). */
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
 * A phone number as users type it: national, or international with a plus or two zeros (ADR-0031). Null for text that is no valid
 * number.
 */
export function readPhone(text: string, callingCode: string): PhoneNumber | null {
  const candidates = [
    ...(text.startsWith('00') ? [`+${text.slice(2)}`] : []),
    text,
    // The calling code may be typed although it is shown beside the field.
    ...(text.startsWith(callingCode) ? [`+${text}`] : []),
  ]
  for (const candidate of candidates) {
    const number = parsePhoneNumberFromString(candidate, { defaultCallingCode: callingCode })
    if (number?.isValid()) return { callingCode: number.countryCallingCode, national: number.nationalNumber }
  }
  return null
}
