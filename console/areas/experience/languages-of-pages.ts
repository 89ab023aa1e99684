import { builtInLanguages } from '../../../src/contract/experience/languages.ts'
import { languageNames } from '../../../src/domain/experience/language-names.ts'
import { PHRASES_PATH, readCustomPhrases } from '../../api/custom-phrases.ts'
import { useApi } from '../../api/queries.ts'

/** The language that the preview shows and whose phrases the operator edits. */
export type PageLanguage = {
  language: string
  languages: readonly { value: string; label: string }[]
  onLanguage: (tag: string) => void
}

/** Returns the built-in languages, those that the operator has added, and the fallback language. */
export function usePageLanguages(fallback: string): PageLanguage['languages'] {
  const { data } = useApi(PHRASES_PATH, { read: readCustomPhrases })
  const added = (data?.data ?? []).map(({ languageTag }) => languageTag)
  const tags = [...new Set([...builtInLanguages, ...added, fallback])]
  return languageNames(tags).map(({ tag, name }) => ({ value: tag, label: name }))
}
