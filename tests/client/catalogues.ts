import arabic from '../../locales/ar.json'
import czech from '../../locales/cs.json'
import danish from '../../locales/da.json'
import german from '../../locales/de.json'
import greek from '../../locales/el.json'
import english from '../../locales/en.json'
import spanish from '../../locales/es.json'
import persian from '../../locales/fa.json'
import finnish from '../../locales/fi.json'
import french from '../../locales/fr.json'
import hebrew from '../../locales/he.json'
import hindi from '../../locales/hi.json'
import hungarian from '../../locales/hu.json'
import indonesian from '../../locales/id.json'
import italian from '../../locales/it.json'
import japanese from '../../locales/ja.json'
import korean from '../../locales/ko.json'
import norwegian from '../../locales/nb.json'
import dutch from '../../locales/nl.json'
import polish from '../../locales/pl.json'
import brazilian from '../../locales/pt-BR.json'
import portuguese from '../../locales/pt-PT.json'
import romanian from '../../locales/ro.json'
import russian from '../../locales/ru.json'
import swedish from '../../locales/sv.json'
import thai from '../../locales/th.json'
import turkish from '../../locales/tr-TR.json'
import ukrainian from '../../locales/uk.json'
import vietnamese from '../../locales/vi.json'
import chinese from '../../locales/zh-CN.json'
import hongKong from '../../locales/zh-HK.json'
import taiwanese from '../../locales/zh-TW.json'
import type { Catalogue } from '../../src/contract/catalogue.ts'
import type { BuiltInLanguage } from '../../src/contract/experience/languages.ts'

/** All built-in languages in the order in which pages offer them. */
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
  es: spanish,
  it: italian,
  ja: japanese,
  nl: dutch,
  pl: polish,
  ar: arabic,
  he: hebrew,
  fa: persian,
  'zh-TW': taiwanese,
  'zh-HK': hongKong,
  uk: ukrainian,
  cs: czech,
  sv: swedish,
  da: danish,
  nb: norwegian,
  fi: finnish,
  hu: hungarian,
  ro: romanian,
  el: greek,
  th: thai,
  vi: vietnamese,
  id: indonesian,
  hi: hindi,
} satisfies Record<BuiltInLanguage, Catalogue>
