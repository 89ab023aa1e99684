import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Cursor, Log, LogFilter } from './logs.ts'
import { merged } from './logs.ts'
import { type Batch, readNewer, readOlder } from './read-logs.ts'

const POLL_MS = 2000

/** The rows of a filter, newest first: more of the older ones when asked, and the new ones as they come. */
export function useLogFeed(filter: LogFilter, isLive: boolean) {
  const { data, isPlaceholderData, error, refetch, ...next } = useInfiniteQuery({
    queryKey: ['log feed', filter],
    queryFn: ({ pageParam, signal }): Promise<Batch> => readOlder(filter, pageParam, signal),
    initialPageParam: null as Cursor | null,
    getNextPageParam: (last: Batch) => last.next,
    // Only what is new is read again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // Those of the filter before stay until the first of this one are there.
    placeholderData: keepPreviousData,
  })
  const isThere = data !== undefined && !isPlaceholderData
  const tail = useTail(filter, { isOn: isLive && isThere, older: data?.pages[0]?.rows[0] })
  return {
    rows: data && merged(tail.rows, ...data.pages.map(({ rows }) => rows)),
    failure: error ?? tail.failure,
    retry: refetch,
    until: data?.pages.at(-1)?.until ?? null,
    hasMore: next.hasNextPage && isThere,
    isLoadingMore: next.isFetchingNextPage,
    loadMore: () => void next.fetchNextPage(),
  }
}

/** Asks every two seconds while the tab is seen. */
function useTail(filter: LogFilter, { isOn, older }: { isOn: boolean; older: Log | undefined }) {
  const name = JSON.stringify(filter)
  const [tail, setTail] = useState<{ name: string; rows: readonly Log[] }>({ name, rows: [] })
  const [failure, setFailure] = useState<unknown>(null)
  /** Where no row is shown; with room for a clock that is ahead. */
  const [openedAt] = useState(() => Date.now() - 60_000)
  const rows = tail.name === name ? tail.rows : []
  const now = useRef({ filter, rows, older })
  useEffect(() => {
    now.current = { filter, rows, older }
  })
  useEffect(() => {
    if (!isOn) return
    const stopping = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const poll = async () => {
      const { filter: asked, rows: shown, older: before } = now.current
      const newest = shown[0] ?? before
      try {
        if (document.visibilityState === 'visible') {
          const known = new Set([...shown.map(({ id }) => id), ...(before ? [before.id] : [])])
          const found = await readNewer(asked, newest?.createdAt ?? openedAt, known, stopping.signal)
          setTail({ name, rows: merged(found, shown) })
          setFailure(null)
        }
      } catch (error) {
        if (!stopping.signal.aborted) setFailure(error)
      }
      if (!stopping.signal.aborted) timer = setTimeout(poll, POLL_MS)
    }
    timer = setTimeout(poll, POLL_MS)
    return () => {
      clearTimeout(timer)
      stopping.abort()
    }
  }, [isOn, name, openedAt])
  return { rows, failure: failure instanceof Error ? failure : null }
}
