import type { z } from 'zod'
import type { CustomPhrasesSchema } from '../../src/contract/experience/custom-phrases.schema.ts'
import type { Phrases } from '../../src/contract/interactions/boot.ts'
import { apiOrigin } from '../session/place.ts'
import { type ApiResponse, call } from './client.ts'
import { flatten, type PhraseTexts, unflatten, withPluralForms } from './phrase-texts.ts'
import { ApiProblem } from './problem.ts'
import { queryClient } from './queries.ts'
import type { EntityAccess } from './save-draft.ts'

type CustomPhrases = z.output<typeof CustomPhrasesSchema>

export const PHRASES_PATH = '/custom-phrases'
export const phrasesPath = (language: string) => `${PHRASES_PATH}/${encodeURIComponent(language)}`

/** Reads the operator's custom phrases in all languages that have any. */
export const readCustomPhrases = (signal?: AbortSignal) =>
  call<CustomPhrases[]>(PHRASES_PATH, signal && { signal })

/**
 * Reads and writes the operator's custom phrases in one language for a form (spec/management#custom-phrases). A
 * language without custom phrases has no entity; the first save creates it. A PUT sends all phrases.
 */
export const phrasesAccess = (language: string): EntityAccess<PhraseTexts> => ({
  async read() {
    const { data } = await queryClient.fetchQuery({
      queryKey: [PHRASES_PATH],
      queryFn: ({ signal }) => readCustomPhrases(signal),
      staleTime: 0,
    })
    const exists = data.some(({ languageTag }) => languageTag === language)
    return exists ? flattenAnswer(await call<CustomPhrases>(phrasesPath(language))) : NONE
  },
  async write({ changes, stored, etag }) {
    const body = unflatten({ ...stored, ...changes })
    const condition = etag === null ? { mustBeNew: true } : { ifMatch: etag }
    return flattenAnswer(
      await call<CustomPhrases>(phrasesPath(language), { method: 'PUT', body, ...condition }),
    )
  },
})

const NONE: ApiResponse<PhraseTexts> = { data: {}, etag: null, total: null, isCapped: false }

const flattenAnswer = (answer: ApiResponse<CustomPhrases>): ApiResponse<PhraseTexts> => ({
  ...answer,
  // The API verified that these are nested phrases when it stored them.
  data: flatten(answer.data.translation as Phrases),
})

/** Returns the built-in phrases of the pages in a language, by key (spec/experience#custom-phrases). */
export async function fetchBuiltInPhrases(
  language: string,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const query = new URLSearchParams({ lng: language, no_cache: '', built_in: '' })
  const answer = await fetch(`${apiOrigin}/api/.well-known/phrases?${query}`, { signal })
  if (!answer.ok) throw new ApiProblem({ status: answer.status, code: 'none', message: '' })
  const { translation }: { translation: Phrases } = await answer.json()
  return withPluralForms(flatten(translation), language)
}
