import type { LanguageInfo } from '../contract/experience.ts'
import { chooseLanguage, parseAcceptLanguage } from './language.ts'

/** Where a visitor's language may be read, the most deliberate first (decision 33). */
export type LanguageHints = {
  query: string | null | undefined
  cookie: string | undefined
  /** What the application asked for, best first: `ui_locales`. */
  request: readonly string[]
  browser: string | null | undefined
}

/** What the address asks for, if visitors may choose and it is offered: it is then remembered (decision 33). */
export function chosenLanguage(
  query: string | null,
  { autoDetect }: Pick<LanguageInfo, 'autoDetect'>,
  available: readonly string[],
): string | null {
  if (!query || !autoDetect) return null
  return chooseLanguage({ requested: [query], available, fallback: '' }) || null
}

/** The language a visitor is spoken to in. With detection off only the address may ask for another than the fallback. */
export function userLanguage(
  hints: LanguageHints,
  { autoDetect, fallbackLanguage }: LanguageInfo,
  available: readonly string[],
): string {
  const asked = hints.query ? [hints.query] : []
  const detected = () => [
    ...(hints.cookie ? [hints.cookie] : []),
    ...hints.request,
    ...parseAcceptLanguage(hints.browser ?? undefined),
  ]
  return chooseLanguage({
    requested: [...asked, ...(autoDetect ? detected() : []), fallbackLanguage],
    available,
    fallback: 'en',
  })
}
