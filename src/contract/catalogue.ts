import english from '../../locales/en.json'
import type { Phrases } from './boot.ts'
import { type BuiltInLanguage, builtInLanguages } from './languages.ts'

/** One file of `locales/`: the phrases of the pages and the messages of refusals. */
export type Catalogue = { translation: Phrases; errors: Phrases }

/** English is always loaded; another language is loaded by the first request that needs it (spec/budgets#worker). */
const catalogues: Record<BuiltInLanguage, () => Catalogue | Promise<Catalogue>> = {
  en: () => english,
  de: async () => (await import('../../locales/de.json')).default,
  fr: async () => (await import('../../locales/fr.json')).default,
  ko: async () => (await import('../../locales/ko.json')).default,
  'pt-PT': async () => (await import('../../locales/pt-PT.json')).default,
  'pt-BR': async () => (await import('../../locales/pt-BR.json')).default,
  ru: async () => (await import('../../locales/ru.json')).default,
  'tr-TR': async () => (await import('../../locales/tr-TR.json')).default,
  'zh-CN': async () => (await import('../../locales/zh-CN.json')).default,
}

/** The catalogue of a language; English for a tag without one. */
export async function loadCatalogue(language: string): Promise<Catalogue> {
  return catalogues[isBuiltIn(language) ? language : 'en']()
}

function isBuiltIn(language: string): language is BuiltInLanguage {
  return builtInLanguages.some((tag) => tag === language)
}
