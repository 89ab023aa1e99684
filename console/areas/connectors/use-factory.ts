import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/queries.ts'
import { useLanguage } from '../../phrases.ts'
import type { Factory } from './config.ts'

/** Reads a factory. Its guide and its form are in the language of the console, so another language is read again. */
export function useFactory(id: string | undefined) {
  const language = useLanguage()
  const path = `/connector-factories/${id}`
  return useQuery({ ...apiQuery<Factory>(path), queryKey: [path, language], enabled: id !== undefined })
}
