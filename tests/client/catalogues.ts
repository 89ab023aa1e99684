import german from '../../locales/de.json'
import english from '../../locales/en.json'
import french from '../../locales/fr.json'
import korean from '../../locales/ko.json'
import brazilian from '../../locales/pt-BR.json'
import portuguese from '../../locales/pt-PT.json'
import russian from '../../locales/ru.json'
import turkish from '../../locales/tr-TR.json'
import chinese from '../../locales/zh-CN.json'
import type { Catalogue } from '../../src/contract/catalogue.ts'
import type { BuiltInLanguage } from '../../src/contract/languages.ts'

/** Every built-in language, in the order in which they are offered. */
export const phraseCatalogues = {
  en: english,
  de: german,
  fr: french,
  ko: korean,
  'pt-PT': portuguese,
  'pt-BR': brazilian,
  ru: russian,
  'tr-TR': turkish,
  'zh-CN': chinese,
} satisfies Record<BuiltInLanguage, Catalogue>
