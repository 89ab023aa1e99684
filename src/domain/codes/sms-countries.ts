/** What needs the numbering plans of all countries: loaded when a tenant names its countries (ADR-0030). */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/mobile'
import metadata from 'libphonenumber-js/mobile/metadata'
import { countedCallingCode } from '../limits.ts'

const countriesByCode: Readonly<Record<string, readonly CountryCode[]>> = metadata.country_calling_codes

/**
 * Whether text messages go to this number. Several countries share a calling code; where the number plan does not say
 * whose number it is, one of them must be listed.
 */
export function isInCountries(phone: string, countries: readonly string[]): boolean {
  const { country } = parsePhoneNumberFromString(`+${phone}`) ?? {}
  const possible = country ? [country] : (countriesByCode[countedCallingCode(phone)] ?? [])
  return possible.some((one) => countries.includes(one))
}
