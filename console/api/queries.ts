import { keepPreviousData, QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApiName } from '../session/session.ts'
import { type ApiResponse, type Call, call } from './client.ts'
import { getDraft, rebaseDraftFrom } from './drafts.ts'
import { findConflicts } from './merge.ts'
import { ApiProblem } from './problem.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Retries requests that got no response or a 503, because they may succeed later. Any other error is final.
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiProblem && (error.status === 0 || error.status === 503),
      refetchOnWindowFocus: true,
    },
  },
})

type Query = Call['query']

/** The options of a read without a query, for components that read several entities at once. */
export const apiQuery = <T>(path: string) => ({
  queryKey: queryKeyOf(path),
  queryFn: ({ signal }: { signal: AbortSignal }) => call<T>(path, { signal }),
})

const queryKeyOf = (path: string, query?: Query) => (query ? [path, query] : [path])

/**
 * Reads an entity or a list by its path after `/api`. A list keeps showing the previous page until the next one is
 * loaded.
 */
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
    /** The time for which a response is used before it is read again, in milliseconds. */
    staleTime?: number
    /** The API to call. The default is the management API. */
    api?: ApiName
    /** The function that reads the data. The default is a GET of the path. */
    read?: (signal: AbortSignal) => Promise<ApiResponse<T>>
  } = {},
) {
  return useQuery<ApiResponse<T>>({
    queryKey: queryKeyOf(path, query),
    queryFn: ({ signal }) => read(signal),
    enabled: isEnabled,
    ...(staleTime !== undefined && { staleTime }),
    ...(query && { placeholderData: keepPreviousData }),
  })
}

/** Returns a function that repeats the failed reads of a page. */
export const retryFailed =
  (...queries: readonly { error: Error | null; refetch: () => unknown }[]) =>
  () => {
    for (const query of queries) if (query.error) query.refetch()
  }

/**
 * Returns a function that changes entities. Afterwards, it reads the paths in `invalidates` and everything below them
 * again.
 */
export function useChange() {
  const client = useQueryClient()
  return async <T>(
    path: string,
    options: Call & { invalidates?: readonly string[] },
  ): Promise<ApiResponse<T>> => {
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
 * Prepares the rebase of a draft after a change below its entity (such as `/users/{id}/is-suspended`). Such a change
 * gives the entity a new ETag although nobody else has saved. If the change affected an unsaved field, the draft isn't
 * rebased, and the next save reports the conflict.
 */
function prepareDraftRebase(client: QueryClient, path: string): () => void {
  const entity = path.split('/').slice(0, 3).join('/')
  const read = () => client.getQueryData<ApiResponse<Record<string, unknown>>>([entity])
  const before = read()
  return () => {
    const [draft, now] = [getDraft(entity), read()]
    if (!draft || !before || !now) return
    const { changes, base = {} } = draft
    if (findConflicts(changes, { base, theirs: now.data }).length === 0)
      rebaseDraftFrom(entity, before.etag, now)
  }
}
