import { toStandardTag } from '../experience/standard-tag.ts'

/**
 * Returns the country whose calling code is preselected (spec/pages#phone-numbers): the region in the language tag, or
 * else the likely region of the language (CLDR likely subtags). `countries` are upper-case ISO codes.
 */
export function defaultCountry(language: string, countries: ReadonlySet<string>): string {
  return likelyRegions(language).find((region) => countries.has(region)) ?? 'US'
}

function likelyRegions(language: string): string[] {
  try {
    const locale = new Intl.Locale(toStandardTag(language))
    const regions = [locale.maximize(), new Intl.Locale(locale.language).maximize()]
    return regions.flatMap(({ region }) => region ?? [])
  } catch {
    return []
  }
}
