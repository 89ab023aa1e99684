import type english from '../../../locales/account/en.json'
import type { PhraseName } from '../interactions/boot.ts'

/**
 * The phrases of the account centre in one language, in the format of the files in `locales/account/`. Pages load only
 * the languages that they need.
 */
export type AccountPhrases = Omit<typeof english, `${string}_one`>
export type AccountPhraseKey = PhraseName<keyof typeof english>

type Load = () => Promise<{ default: AccountPhrases }>

const texts = {
  en: () => import('../../../locales/account/en.json'),
  de: () => import('../../../locales/account/de.json'),
  fr: () => import('../../../locales/account/fr.json'),
  ko: () => import('../../../locales/account/ko.json'),
  'pt-PT': () => import('../../../locales/account/pt-PT.json'),
  'pt-BR': () => import('../../../locales/account/pt-BR.json'),
  ru: () => import('../../../locales/account/ru.json'),
  'tr-TR': () => import('../../../locales/account/tr-TR.json'),
  'zh-CN': () => import('../../../locales/account/zh-CN.json'),
  es: () => import('../../../locales/account/es.json'),
  it: () => import('../../../locales/account/it.json'),
  ja: () => import('../../../locales/account/ja.json'),
  nl: () => import('../../../locales/account/nl.json'),
  pl: () => import('../../../locales/account/pl.json'),
  ar: () => import('../../../locales/account/ar.json'),
  he: () => import('../../../locales/account/he.json'),
  fa: () => import('../../../locales/account/fa.json'),
  'zh-TW': () => import('../../../locales/account/zh-TW.json'),
  'zh-HK': () => import('../../../locales/account/zh-HK.json'),
  uk: () => import('../../../locales/account/uk.json'),
  cs: () => import('../../../locales/account/cs.json'),
  sv: () => import('../../../locales/account/sv.json'),
  da: () => import('../../../locales/account/da.json'),
  nb: () => import('../../../locales/account/nb.json'),
  fi: () => import('../../../locales/account/fi.json'),
  hu: () => import('../../../locales/account/hu.json'),
  ro: () => import('../../../locales/account/ro.json'),
  el: () => import('../../../locales/account/el.json'),
  th: () => import('../../../locales/account/th.json'),
  vi: () => import('../../../locales/account/vi.json'),
  id: () => import('../../../locales/account/id.json'),
  hi: () => import('../../../locales/account/hi.json'),
} satisfies Record<string, Load>

/** Loads the phrases of a language. Returns the English phrases for a language that only the operator has added. */
export async function loadAccountPhrases(language: string): Promise<AccountPhrases> {
  return (await texts[hasTexts(language) ? language : 'en']()).default
}

const hasTexts = (language: string): language is keyof typeof texts => Object.hasOwn(texts, language)
