import { keepPreviousData, QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApiName } from '../session/session.ts'
import { type Answer, type Call, call } from './client.ts'
import { getDraft, rebaseDraftFrom } from './drafts.ts'
import { findConflicts } from './merge.ts'
import { ApiProblem } from './problem.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refusal stays one; what got no answer or 503 may succeed the next time.
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiProblem && (error.status === 0 || error.status === 503),
      refetchOnWindowFocus: true,
    },
  },
})

type Query = Call['query']

/** A read without a query, for what reads several at once. */
export const apiQuery = <T>(path: string) => ({
  queryKey: queryKeyOf(path),
  queryFn: ({ signal }: { signal: AbortSignal }) => call<T>(path, { signal }),
})

const queryKeyOf = (path: string, query?: Query) => (query ? [path, query] : [path])

/** An entity or a list, by its path after `/api`. Lists keep the page that was shown until the next one is there. */
export function useApi<T>(
  path: string,
  {
    query,
    isEnabled = true,
    staleTime,
    api,
    read = (signal) => call<T>(path, { ...(query && { query }), ...(api && { api }), signal }),
  }: {
    query?: Query
    isEnabled?: boolean
    /** In milliseconds. */
    staleTime?: number
    /** The management API, unless it is given. */
    api?: ApiName
    /** Where it is not a GET. */
    read?: (signal: AbortSignal) => Promise<Answer<T>>
  } = {},
) {
  return useQuery<Answer<T>>({
    queryKey: queryKeyOf(path, query),
    queryFn: ({ signal }) => read(signal),
    enabled: isEnabled,
    ...(staleTime !== undefined && { staleTime }),
    ...(query && { placeholderData: keepPreviousData }),
  })
}

/** Reads again what has failed of what a page needs. */
export const retryFailed =
  (...queries: readonly { error: Error | null; refetch: () => unknown }[]) =>
  () => {
    for (const query of queries) if (query.error) query.refetch()
  }

/** Changes entities; `invalidates` are the paths of what is then read again, with everything below them. */
export function useChange() {
  const client = useQueryClient()
  return async <T>(path: string, options: Call & { invalidates?: readonly string[] }): Promise<Answer<T>> => {
    const { invalidates = [path], ...request } = options
    const rebaseOwnDraft = prepareDraftRebase(client, path)
    const answer = await call<T>(path, request)
    await Promise.all(
      invalidates.map((prefix) =>
        client.invalidateQueries({
          predicate: ({ queryKey: [key] }) => key === prefix || String(key).startsWith(`${prefix}/`),
        }),
      ),
    )
    rebaseOwnDraft()
    return answer
  }
}

/**
 * Of the entity to which an address belongs: a change there (`/users/{id}/is-suspended`) makes another tag of it, and is none of
 * somebody else. Where what is not saved has been changed as well, the next save tells.
 */
function prepareDraftRebase(client: QueryClient, path: string): () => void {
  const entity = path.split('/').slice(0, 3).join('/')
  const read = () => client.getQueryData<Answer<Record<string, unknown>>>([entity])
  const before = read()
  return () => {
    const [draft, now] = [getDraft(entity), read()]
    if (!draft || !before || !now) return
    const { changes, base = {} } = draft
    if (findConflicts(changes, { base, theirs: now.data }).length === 0)
      rebaseDraftFrom(entity, before.etag, now)
  }
}
