import type { BootData, Phrases } from '../../src/contract/boot.ts'

type PhrasesOfLanguage = { language: string; phrases: Phrases }

/** The phrases of a language, fetched once. After a failure the page keeps its own. */
export function createPhrases(boot: BootData): (language: string) => Promise<PhrasesOfLanguage> {
  const own = { language: boot.language, phrases: boot.phrases }
  const known = new Map<string, Promise<PhrasesOfLanguage>>([[boot.language, Promise.resolve(own)]])
  return (language) => {
    const found = known.get(language) ?? fetchPhrases(language)
    known.set(language, found)
    return found.catch(() => {
      known.delete(language)
      return own
    })
  }
}

const TIMEOUT_MS = 10_000 // spec/limits#page-calls

async function fetchPhrases(lng: string): Promise<PhrasesOfLanguage> {
  const answer = await fetch(`/api/.well-known/phrases?${new URLSearchParams({ lng, no_cache: '' })}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!answer.ok) throw new Error(`no phrases: ${answer.status}`)
  const { translation }: { translation: Phrases } = await answer.json()
  return { language: answer.headers.get('content-language') ?? lng, phrases: translation }
}
