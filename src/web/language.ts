import type { LanguageInfo } from '../contract/experience.ts'
import { builtInLanguages } from '../contract/languages.ts'
import { chooseLanguage, parseAcceptLanguage } from '../domain/language.ts'

/** Where a visitor's language may be read, the most deliberate first (decision 33). */
export type LanguageHints = {
  query: string | null | undefined
  cookie: string | undefined
  /** The application's `ui_locales`: tags with spaces between them, best first. */
  request: string | undefined
  browser: string | null
}

/** What the address asks for, if visitors may choose and it is offered: it is then remembered (decision 33). */
export function chosenLanguage(query: string | null, { autoDetect }: LanguageInfo): string | null {
  if (!query || !autoDetect) return null
  return chooseLanguage({ requested: [query], available: builtInLanguages, fallback: '' }) || null
}

/** The language a page is drawn in. With detection off only the address may ask for another than the fallback. */
export function pageLanguage(hints: LanguageHints, { autoDetect, fallbackLanguage }: LanguageInfo): string {
  const asked = hints.query ? [hints.query] : []
  const detected = () => [
    ...(hints.cookie ? [hints.cookie] : []),
    ...(hints.request?.split(' ') ?? []),
    ...parseAcceptLanguage(hints.browser ?? undefined),
  ]
  return chooseLanguage({
    requested: [...asked, ...(autoDetect ? detected() : []), fallbackLanguage],
    available: builtInLanguages,
    fallback: 'en',
  })
}
