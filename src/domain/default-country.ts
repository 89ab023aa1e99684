/** Language, optional script, region: extensions follow and may look like regions. */
const LANGUAGE_TAG = /^(?<language>[a-z]{2,3})(?:-[a-z]{4})?(?:-(?<region>[a-z]{2}))?(?:-|$)/i

/** The country whose calling code is offered first (spec/pages#phone-numbers). `countries` are upper-case ISO codes. */
export function defaultCountry(language: string, countries: ReadonlySet<string>): string {
  const { language: name = '', region = '' } = LANGUAGE_TAG.exec(language)?.groups ?? {}
  const guess = [region, name].map((code) => code.toUpperCase()).find((code) => countries.has(code))
  return guess ?? (name.toLowerCase() === 'zh' ? 'CN' : 'US')
}
