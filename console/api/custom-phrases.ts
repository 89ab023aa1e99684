import type { z } from 'zod'
import type { CustomPhrasesSchema } from '../../src/contract/experience/custom-phrases.schema.ts'
import type { Phrases } from '../../src/contract/interactions/boot.ts'
import { apiOrigin } from '../session/place.ts'
import { type Answer, call } from './client.ts'
import type { EntityAccess } from './entity-form.ts'
import { flatten, type PhraseTexts, unflatten } from './phrase-texts.ts'
import { ApiProblem } from './problem.ts'
import { queryClient } from './queries.ts'

type CustomPhrases = z.output<typeof CustomPhrasesSchema>

export const PHRASES_PATH = '/custom-phrases'
export const phrasesPath = (language: string) => `${PHRASES_PATH}/${encodeURIComponent(language)}`

/** The languages that have texts of the operator. */
export const readCustomPhrases = (signal?: AbortSignal) =>
  call<CustomPhrases[]>(PHRASES_PATH, signal && { signal })

/**
 * For a form of the texts of one language (spec/management#custom-phrases). Without any there is no entity, and the first save makes
 * it; a PUT has all of them.
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

const NONE: Answer<PhraseTexts> = { data: {}, etag: null, total: null, isCapped: false }

const flattenAnswer = (answer: Answer<CustomPhrases>): Answer<PhraseTexts> => ({
  ...answer,
  // Texts below keys, as the call that stored them has checked.
  data: flatten(answer.data.translation as Phrases),
})

/** What the pages say in a language without the texts of the operator, by key (spec/experience#custom-phrases). */
export async function fetchBuiltInPhrases(lng: string, signal: AbortSignal): Promise<Record<string, string>> {
  const query = new URLSearchParams({ lng, no_cache: '', built_in: '' })
  const answer = await fetch(`${apiOrigin}/api/.well-known/phrases?${query}`, { signal })
  if (!answer.ok) throw new ApiProblem({ status: answer.status, code: 'none', message: '' })
  const { translation }: { translation: Phrases } = await answer.json()
  return flatten(translation)
}
