import type { BootData, Phrases } from '../../src/contract/interactions/boot.ts'
import { cleanPhrases, mergePhrases } from '../../src/domain/experience/phrases.ts'
import type { PreviewConfig } from './preview-message.ts'

type PhrasesOfLanguage = { language: string; phrases: Phrases }

/**
 * Returns a function that resolves to the phrases for a message: the current ones, or the built-in ones
 * overridden by those in the message. Each language is fetched once. If fetching fails, the page keeps its
 * phrases.
 */
export function createPhraseLoader(boot: BootData): (config: PreviewConfig) => Promise<PhrasesOfLanguage> {
  const pagePhrases = { language: boot.language, phrases: boot.phrases }
  const loadCurrent = memoizeByLanguage((language) => fetchPhrases({ lng: language, no_cache: '' }))
  const loadBuiltIn = memoizeByLanguage((language) =>
    fetchPhrases({ lng: language, no_cache: '', built_in: '' }),
  )

  return async ({ language = boot.language, phrases: texts }) => {
    try {
      if (!texts) return language === boot.language ? pagePhrases : await loadCurrent(language)
      const original = await loadBuiltIn(language)
      return { ...original, phrases: mergePhrases(original.phrases, cleanPhrases(texts)) }
    } catch {
      return pagePhrases
    }
  }
}

/** Fetches the phrases of each language once. A failure is not cached. */
function memoizeByLanguage(load: (language: string) => Promise<PhrasesOfLanguage>) {
  const cached = new Map<string, Promise<PhrasesOfLanguage>>()
  return async (language: string) => {
    const phrases = cached.get(language) ?? load(language)
    cached.set(language, phrases)
    phrases.catch(() => cached.delete(language))
    return phrases
  }
}

const TIMEOUT_MS = 10_000 // spec/limits#page-calls

async function fetchPhrases(query: { lng: string; no_cache: ''; built_in?: '' }): Promise<PhrasesOfLanguage> {
  const response = await fetch(`/api/.well-known/phrases?${new URLSearchParams(query)}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`no phrases: ${response.status}`)
  const { translation }: { translation: Phrases } = await response.json()
  return { language: response.headers.get('content-language') ?? query.lng, phrases: translation }
}
