import { DAY_SECONDS } from '../time.ts'

/**
 * The built-in languages (spec/experience#languages). If a language has two variants, requests that specify neither get
 * the first one.
 */
export const builtInLanguages = [
  'en',
  'de',
  'fr',
  'ko',
  'pt-PT',
  'pt-BR',
  'ru',
  'tr-TR',
  'zh-CN',
  'es',
  'it',
  'ja',
  'nl',
  'pl',
  'ar',
  'he',
  'fa',
  'zh-TW',
  'zh-HK',
  'uk',
  'cs',
  'sv',
  'da',
  'nb',
  'fi',
  'hu',
  'ro',
  'el',
  'th',
  'vi',
  'id',
  'hi',
] as const
export type BuiltInLanguage = (typeof builtInLanguages)[number]

/** The cookie that stores the language the user chose (spec/experience#language-choice). */
export const LANGUAGE_COOKIE = 'i18next'
export const LANGUAGE_COOKIE_SECONDS = 365 * DAY_SECONDS
export const LANGUAGE_PARAM = 'lng'
