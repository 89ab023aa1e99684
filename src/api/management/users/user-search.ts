import type { Dependencies } from '../../../application/dependencies.ts'
import type { Refusal } from '../../../contract/errors.ts'
import { isRefusal, refuseWith, throwIfRefused } from '../../../contract/refused.ts'
import { planLikeSearch } from '../../../domain/like-pattern.ts'
import { listUsers, SearchTooLargeError } from '../../../storage/users/user-list.ts'
import {
  type UserSearch,
  type UserSearchField,
  type UserSearchTerm,
  userSearchFields,
} from '../../../storage/users/user-search.ts'
import { readSearch, refuseSearch } from '../search.ts'

type SearchRequest = Omit<Parameters<typeof listUsers>[2], 'search'> & { query: URLSearchParams }

/** Returns one page of the users that match a query. */
export async function searchUsers(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
  { query, ...request }: SearchRequest,
) {
  const search = parseUserSearch(query)
  return listUsers(db, tenantId, { ...request, search }).catch(refuseLargeSearch)
}

/** Parses the search in a query. Only these fields of users may be searched. */
export const parseUserSearch = (
  query: URLSearchParams,
  fields: readonly UserSearchField[] = userSearchFields,
): UserSearch => throwIfRefused(readUserSearch(withoutPhonePlus(query), fields))

export function refuseLargeSearch(error: unknown): never {
  if (!(error instanceof SearchTooLargeError)) throw error
  refuseWith('request.invalid_input', { reason: 'the search has too many parts' })
}

/** Drops the plus sign of a phone number, which is decoded as a space if it is not encoded (spec/accounts#phone). */
const withoutPhonePlus = (query: URLSearchParams) =>
  new URLSearchParams(
    [...query].map(([key, value]) => [
      key,
      key === 'search.primaryPhone' ? value.replace(/^[+ ](?=\d)/, '') : value,
    ]),
  )

/** Parses a user search. Rejects patterns that no index supports (spec/storage#search-indexes). */
function readUserSearch(query: URLSearchParams, fields: readonly UserSearchField[]): UserSearch | Refusal {
  const search = readSearch(query, fields)
  if (isRefusal(search)) return search

  const terms: UserSearchTerm[] = []
  for (const term of search.terms) {
    if (term.mode === 'exact') {
      terms.push(term)
      continue
    }
    const plan = planLikeSearch(term.pattern)
    if (!plan) {
      return refuseSearch(
        'a pattern that begins with a wildcard needs three other characters in a row, and no pattern may exceed 50 bytes',
      )
    }
    terms.push({ fields: term.fields, ...plan })
  }
  return { ...search, terms }
}
