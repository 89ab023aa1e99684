import type { Experience } from '../../contract/experience/experience.ts'
import { LANGUAGE_PARAM } from '../../contract/experience/languages.ts'
import { BoundedMap } from '../../domain/bounded-map.ts'
import { chosenLanguage, userLanguage } from '../../domain/experience/user-language.ts'
import type { PageQuery } from './page-query.ts'

/** Where a request may name its language (spec/experience#language-choice). */
type LanguageSources = {
  query: PageQuery
  languageCookie: string | undefined
  /** The `ui_locales` of the authorization request. */
  uiLocales: string | undefined
  acceptLanguage: string | null
}

/** The language of a page, and the one that its address asks for, to be remembered. */
export function pageLanguage(
  { query, languageCookie, uiLocales, acceptLanguage }: LanguageSources,
  { languageInfo }: Experience,
  offered: readonly string[],
): { language: string; chosen: string | null } {
  const requested = query.get(LANGUAGE_PARAM)
  const hints = {
    query: requested,
    cookie: languageCookie,
    request: uiLocales?.split(' ') ?? [],
    browser: acceptLanguage,
  }
  return {
    language: languageOf(hints, languageInfo, offered),
    chosen: chosenLanguage(requested, languageInfo, offered),
  }
}

/** Browsers send the same few hints with every request, so the language that they lead to is remembered. */
function languageOf(...hints: Parameters<typeof userLanguage>): string {
  const key = JSON.stringify(hints)
  if (key.length > KEY_MAX_LENGTH) return userLanguage(...hints)
  const language = languages.get(key) ?? userLanguage(...hints)
  languages.set(key, language)
  return language
}

const languages = new BoundedMap<string, string>(1_000)
/** No browser sends longer hints, and they are not kept. */
const KEY_MAX_LENGTH = 500
