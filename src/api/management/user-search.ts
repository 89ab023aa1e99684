import type { Refusal } from '../../contract/errors.ts'
import { isRefusal } from '../../contract/refused.ts'
import { planLike } from '../../domain/like-pattern.ts'
import { type UserSearch, type UserSearchTerm, userSearchFields } from '../../storage/user-search.ts'
import { readSearch, unsearchable } from './search.ts'

/** A search for users, or the refusal of a pattern that no index can answer (spec/storage#search-indexes). */
export function readUserSearch(query: URLSearchParams): UserSearch | Refusal {
  const search = readSearch(query, userSearchFields)
  if (isRefusal(search)) return search

  const terms: UserSearchTerm[] = []
  for (const term of search.terms) {
    if (term.mode === 'exact') {
      terms.push(term)
      continue
    }
    const plan = planLike(term.pattern)
    if (!plan) {
      return unsearchable(
        'a pattern that begins with a wildcard needs three other characters in a row, and fifty bytes are the most',
      )
    }
    terms.push({ fields: term.fields, ...plan })
  }
  return { ...search, terms }
}
