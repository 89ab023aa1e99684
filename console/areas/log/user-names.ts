import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { User } from '../../../src/contract/users/users.schema.ts'
import { call } from '../../api/client.ts'
import { useCan } from '../../session/permissions.tsx'
import { formatUserName } from '../users/name-of.ts'
import { type Log, PAGE_SIZE, readUserIds } from './logs.ts'

/**
 * Returns the names of the users in the rows, by id, if the reader may read users. One call reads all users of a page,
 * because the API has an index of their ids (spec/management#search). Deleted users, and those whose names are known,
 * aren't requested again.
 */
export const useUserNames = (rows: readonly Log[]): ReadonlyMap<string, string> =>
  useNamesOfUsers(collectUserIds(rows))

/** Returns the names of these users. The name of an id that no user has is the id. */
export function useNamesOfUsers(ids: readonly string[]): ReadonlyMap<string, string> {
  const mayRead = useCan('users:read')
  const [names] = useState(() => new Map<string, string>())
  const { data } = useQuery({
    queryKey: ['user names', ids],
    queryFn: async ({ signal }) => {
      const missing = ids.filter((id) => !names.has(id))
      for (let from = 0; from < missing.length; from += PAGE_SIZE) {
        const batch = missing.slice(from, from + PAGE_SIZE)
        const query = { 'search.id': batch, mode: 'exact', page_size: PAGE_SIZE }
        const { data: users } = await call<User[]>('/users', { query, signal })
        for (const id of batch) names.set(id, id)
        for (const user of users) names.set(user.id, formatUserName(user))
      }
      return new Map(names)
    },
    enabled: mayRead && ids.length > 0,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
  return data ?? names
}

/** Returns each id once, sorted, so that the same users always produce the same list. */
const collectUserIds = (rows: readonly Log[]): string[] => [...new Set(rows.flatMap(readUserIds))].sort()
