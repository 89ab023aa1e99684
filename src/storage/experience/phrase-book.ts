import { loadCatalogue } from '../../contract/catalogue.ts'
import { builtInLanguages } from '../../contract/experience/languages.ts'
import type { Phrases } from '../../contract/interactions/boot.ts'
import { createCache } from '../cache.ts'
import type { Database } from '../database.ts'

/**
 * The phrases of a language, merged with the operator's custom phrases, if any (spec/management#well-known-phrases).
 */
type LanguagePhrases = {
  translation: Phrases
  tenantId?: string
  id?: string
  languageTag?: string
}

type Freshness = { fresh?: boolean }

/** A tenant's languages and their phrases, cached like other settings (spec/storage#settings-cache). */
export type PhraseBook = {
  /** Lists the languages in which pages are available, the built-in ones first (spec/experience#languages). */
  languages(tenantId: string, freshness?: Freshness): Promise<readonly string[]>
  /** Returns the phrases of a language. `translation` remains the same object until the phrases change. */
  phrases(tenantId: string, language: string, freshness?: Freshness): Promise<LanguagePhrases>
  /** Removes cached phrases, so that the next read sees a change that was just written. */
  forget(tenantId: string, language: string): void
}

export function createPhraseBook(db: Database, { now }: { now: () => number }): PhraseBook {
  const tags = createCache(
    async (tenantId) => {
      const { customLanguagesQuery } = await import('./custom-phrases.ts')
      const custom = (await customLanguagesQuery(db, tenantId)).map(({ languageTag }) => languageTag)
      return { custom, all: [...new Set<string>([...builtInLanguages, ...custom])] }
    },
    { now, keepsEqual: true },
  )
  const custom = createCache((key) => readPhrases(db, ...parsed(key)), { now, keepsEqual: true })

  return {
    languages: async (tenantId, freshness) => (await tags.get(tenantId, freshness)).all,
    async phrases(tenantId, language, freshness) {
      const isCustom = (await tags.get(tenantId)).custom.includes(language)
      return isCustom ? custom.get(keyOf(tenantId, language), freshness) : builtIn(language)
    },
    forget(tenantId, language) {
      tags.forget(tenantId)
      custom.forget(keyOf(tenantId, language))
    },
  }
}

/** The methods of the phrase book that need no database. */
export const builtInPhrases: Pick<PhraseBook, 'languages' | 'phrases'> = {
  languages: async () => builtInLanguages,
  phrases: (_, language) => builtIn(language),
}

async function builtIn(language: string): Promise<LanguagePhrases> {
  const cached = loaded.get(language)
  if (cached) return cached
  const { translation } = await loadCatalogue(language)
  const phrases = { translation }
  if (builtInLanguages.some((tag) => tag === language)) loaded.set(language, phrases)
  return phrases
}

/**
 * The phrase catalogues that this isolate has loaded. They are cached because `import()` takes a moment even for a
 * loaded module.
 */
const loaded = new Map<string, LanguagePhrases>()

async function readPhrases(db: Database, tenantId: string, language: string): Promise<LanguagePhrases> {
  const { getCustomPhrases } = await import('./custom-phrases.ts')
  const { cleanPhrases, mergePhrases } = await import('../../domain/experience/phrases.ts')
  const [builtInPhrases, row] = await Promise.all([
    builtIn(language),
    getCustomPhrases(db, tenantId, language),
  ])
  return row
    ? { ...row, translation: mergePhrases(builtInPhrases.translation, cleanPhrases(row.translation)) }
    : builtInPhrases
}

const keyOf = (tenantId: string, language: string) => JSON.stringify([tenantId, language])
const parsed = (key: string): [tenantId: string, language: string] => JSON.parse(key)
