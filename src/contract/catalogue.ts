import { type BuiltInLanguage, builtInLanguages } from './experience/languages.ts'
import type { Phrases } from './interactions/boot.ts'

/** The page phrases and error messages of one language, in the format of the files in `locales/`. */
export type Catalogue = { translation: Phrases; errors: Phrases }

/** Each catalogue is loaded by the first request that needs it (spec/budgets#worker). */
const catalogues: Record<BuiltInLanguage, () => Promise<Catalogue>> = {
  en: async () => (await import('../../locales/en.json')).default,
  de: async () => (await import('../../locales/de.json')).default,
  fr: async () => (await import('../../locales/fr.json')).default,
  ko: async () => (await import('../../locales/ko.json')).default,
  'pt-PT': async () => (await import('../../locales/pt-PT.json')).default,
  'pt-BR': async () => (await import('../../locales/pt-BR.json')).default,
  ru: async () => (await import('../../locales/ru.json')).default,
  'tr-TR': async () => (await import('../../locales/tr-TR.json')).default,
  'zh-CN': async () => (await import('../../locales/zh-CN.json')).default,
  es: async () => (await import('../../locales/es.json')).default,
  it: async () => (await import('../../locales/it.json')).default,
  ja: async () => (await import('../../locales/ja.json')).default,
  nl: async () => (await import('../../locales/nl.json')).default,
  pl: async () => (await import('../../locales/pl.json')).default,
  ar: async () => (await import('../../locales/ar.json')).default,
  he: async () => (await import('../../locales/he.json')).default,
  fa: async () => (await import('../../locales/fa.json')).default,
  'zh-TW': async () => (await import('../../locales/zh-TW.json')).default,
  'zh-HK': async () => (await import('../../locales/zh-HK.json')).default,
  uk: async () => (await import('../../locales/uk.json')).default,
  cs: async () => (await import('../../locales/cs.json')).default,
  sv: async () => (await import('../../locales/sv.json')).default,
  da: async () => (await import('../../locales/da.json')).default,
  nb: async () => (await import('../../locales/nb.json')).default,
  fi: async () => (await import('../../locales/fi.json')).default,
  hu: async () => (await import('../../locales/hu.json')).default,
  ro: async () => (await import('../../locales/ro.json')).default,
  el: async () => (await import('../../locales/el.json')).default,
  th: async () => (await import('../../locales/th.json')).default,
  vi: async () => (await import('../../locales/vi.json')).default,
  id: async () => (await import('../../locales/id.json')).default,
  hi: async () => (await import('../../locales/hi.json')).default,
}

/** Loads the catalogue of a language. Returns the English catalogue for a language tag without a catalogue. */
export async function loadCatalogue(language: string): Promise<Catalogue> {
  return catalogues[isBuiltIn(language) ? language : 'en']()
}

function isBuiltIn(language: string): language is BuiltInLanguage {
  return builtInLanguages.some((tag) => tag === language)
}
