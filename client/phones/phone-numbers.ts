/**
 * Everything that needs the numbering plans of all countries. It is a separate chunk, loaded by `phones.ts`
 * (ADR-0030).
 */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/mobile'
import metadata from 'libphonenumber-js/mobile/metadata'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { defaultCountry } from '../../src/domain/codes/default-country.ts'

const countriesByCode: Readonly<Record<string, readonly CountryCode[]>> = metadata.country_calling_codes
const codesByCountry = new Map<string, string>(
  Object.entries(countriesByCode).flatMap(([code, countries]) =>
    countries.map((country): [string, string] => [country, code]),
  ),
)

/** A country and its calling code. `isMain` marks the best-known country of those that share a calling code. */
export type CountryCallingCode = { country: string; code: string; isMain: boolean }

export const countryCallingCodes: readonly CountryCallingCode[] = Object.entries(countriesByCode).flatMap(
  ([code, countries]) => countries.map((country, index) => ({ country, code, isMain: index === 0 })),
)

/** Returns the country to assume for a phone number without a country code (spec/pages#phone-numbers). */
export function getHomeCountry({ language }: Pick<BootData, 'language'>): { country: string; code: string } {
  const country = defaultCountry(language, new Set(codesByCountry.keys()))
  return { country, code: codesByCountry.get(country) ?? '1' }
}

/** Returns the country of the page's language and that from which the request came. */
export const listLikelyCountries = ({
  language,
  country,
}: Pick<BootData, 'language' | 'country'>): string[] => [
  getHomeCountry({ language }).country,
  ...(country ? [country] : []),
]

export type PhoneNumber = { callingCode: string; national: string }

/**
 * Parses a phone number as users type it: national, or international with a plus or two zeros
 * (spec/pages#identifier-field). Returns null if the text is not a valid number.
 */
export function parsePhone(text: string, callingCode: string): PhoneNumber | null {
  const candidates = [
    ...(text.startsWith('00') ? [`+${text.slice(2)}`] : []),
    text,
    // Users may type the calling code even though it is shown beside the field.
    ...(text.startsWith(callingCode) ? [`+${text}`] : []),
  ]
  for (const candidate of candidates) {
    const number = parsePhoneNumberFromString(candidate, { defaultCallingCode: callingCode })
    if (number?.isValid()) return { callingCode: number.countryCallingCode, national: number.nationalNumber }
  }
  return null
}
