import type { LanguageInfo } from '../../contract/experience/experience.ts'
import { chooseLanguage, parseAcceptLanguage } from './language.ts'

/** The sources of a user's language, in order of precedence (spec/experience#language-choice). */
export type LanguageHints = {
  query: string | null | undefined
  cookie: string | undefined
  /** The application's `ui_locales`, best first. */
  request: readonly string[]
  browser: string | null | undefined
}

/**
 * Returns the language that the URL requests, if it is available and users may choose a language. The choice is then
 * stored in a cookie.
 */
export function chosenLanguage(
  query: string | null,
  { autoDetect }: Pick<LanguageInfo, 'autoDetect'>,
  available: readonly string[],
): string | null {
  if (!query || !autoDetect) return null
  return chooseLanguage({ requested: [query], available, fallback: '' }) || null
}

/**
 * Returns the user's language. If language detection is off, only the URL can request a language other than the
 * fallback.
 */
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
