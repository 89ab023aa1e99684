import type { LanguageInfo } from '../../contract/experience/experience.ts'
import { chooseLanguage, parseAcceptLanguage } from './language.ts'

/** Sources of a user's language, the most deliberate first (spec/experience#language-choice). */
export type LanguageHints = {
  query: string | null | undefined
  cookie: string | undefined
  /** `ui_locales` of the application, best first. */
  request: readonly string[]
  browser: string | null | undefined
}

/** The language of the address, if users may choose and it is offered; it is then kept in a cookie. */
export function chosenLanguage(
  query: string | null,
  { autoDetect }: Pick<LanguageInfo, 'autoDetect'>,
  available: readonly string[],
): string | null {
  if (!query || !autoDetect) return null
  return chooseLanguage({ requested: [query], available, fallback: '' }) || null
}

/** With detection off only the address may ask for another language than the fallback. */
export function userLanguage(
  hints: LanguageHints,
  { autoDetect, fallbackLanguage }: LanguageInfo,
  available: readonly string[],
): string {
  const fromQuery = hints.query ? [hints.query] : []
  const detected = () => [
    ...(hints.cookie ? [hints.cookie] : []),
    ...hints.request,
    ...parseAcceptLanguage(hints.browser ?? undefined),
  ]
  return chooseLanguage({
    requested: [...fromQuery, ...(autoDetect ? detected() : []), fallbackLanguage],
    available,
    fallback: 'en',
  })
}
