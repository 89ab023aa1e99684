/**
 * This file imports the numbering plans of all countries, so it is loaded only if a tenant restricts the countries for
 * text messages (ADR-0030).
 */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/mobile'
import metadata from 'libphonenumber-js/mobile/metadata'
import { normalizedCallingCode } from '../limits.ts'

const countriesByCode: Readonly<Record<string, readonly CountryCode[]>> = metadata.country_calling_codes

/**
 * Checks whether text messages may be sent to a number. If several countries share the calling code and the numbering
 * plan cannot tell them apart, one allowed country is enough.
 */
export function isInCountries(phone: string, countries: readonly string[]): boolean {
  const { country } = parsePhoneNumberFromString(`+${phone}`) ?? {}
  const candidates = country ? [country] : (countriesByCode[normalizedCallingCode(phone)] ?? [])
  return candidates.some((country) => countries.includes(country))
}
