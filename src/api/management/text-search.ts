import type { Refusal } from '../../contract/errors.ts'
import { isRefusal } from '../../contract/refused.ts'
import { isCheckable, readLikePattern } from '../../domain/like-pattern.ts'
import type { TextSearch, TextSearchTerm } from '../../storage/text-search.ts'
import { readSearch, unsearchable } from './search.ts'

/** A search that compares every row, or the refusal of a pattern that the database cannot compare. */
export function readTextSearch<Field extends string>(
  query: URLSearchParams,
  fields: readonly Field[],
): TextSearch<Field> | Refusal {
  const search = readSearch(query, fields)
  if (isRefusal(search)) return search

  const terms: TextSearchTerm<Field>[] = []
  for (const term of search.terms) {
    if (term.mode === 'exact') {
      terms.push(term)
      continue
    }
    const pattern = readLikePattern(term.pattern)
    if (!isCheckable(pattern)) return unsearchable('fifty bytes are the most a pattern may have')
    terms.push({ fields: term.fields, mode: 'like', pattern })
  }
  return { ...search, terms }
}
