import { standardTag } from '../experience/standard-tag.ts'

/**
 * Returns the country whose calling code is offered first (spec/pages#phone-numbers): the region in the language tag,
 * or else the one where the language has the most speakers (likely subtags of CLDR). `countries` are upper-case ISO
 * codes.
 */
export function defaultCountry(language: string, countries: ReadonlySet<string>): string {
  return likelyRegions(language).find((region) => countries.has(region)) ?? 'US'
}

function likelyRegions(language: string): string[] {
  try {
    const locale = new Intl.Locale(standardTag(language))
    const regions = [locale.maximize(), new Intl.Locale(locale.language).maximize()]
    return regions.flatMap(({ region }) => region ?? [])
  } catch {
    return []
  }
}
