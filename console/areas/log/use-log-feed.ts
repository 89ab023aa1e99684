import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { MINUTE } from '../../../src/contract/time.ts'
import type { Batch } from './batches.ts'
import type { Cursor, Log, LogFilter } from './logs.ts'
import { mergeRows } from './logs.ts'
import { readNewerLogs, readOlderLogs } from './read-logs.ts'

const POLL_MS = 2000

/** Reads the rows that match a filter, newest first: older rows on request, and new rows as they arrive. */
export function useLogFeed(filter: LogFilter, isLive: boolean) {
  const { data, isPlaceholderData, error, refetch, ...next } = useInfiniteQuery({
    queryKey: ['log feed', filter],
    queryFn: ({ pageParam, signal }): Promise<Batch> => readOlderLogs(filter, pageParam, signal),
    initialPageParam: null as Cursor | null,
    getNextPageParam: (last: Batch) => last.next,
    // Rows never change, so only new rows are read.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // The rows of the previous filter remain visible until the first rows of the new one have arrived.
    placeholderData: keepPreviousData,
  })
  const isLoaded = data !== undefined && !isPlaceholderData
  const tail = useTail(filter, { isOn: isLive && isLoaded, older: data?.pages[0] })
  return {
    rows: data && mergeRows(tail.rows, ...data.pages.map(({ rows }) => rows)),
    failure: error ?? tail.failure,
    retry: refetch,
    until: data?.pages.at(-1)?.until ?? null,
    hasMore: next.hasNextPage && isLoaded,
    isLoadingMore: next.isFetchingNextPage,
    loadMore: () => void next.fetchNextPage(),
  }
}

type Tail = {
  /** The filter that the rows belong to. */
  name: string
  rows: readonly Log[]
  /** The time of the newest row that was read, visible or not. Null before the first response. */
  newest: number | null
}

/** Polls every two seconds while the tab is visible. */
function useTail(filter: LogFilter, { isOn, older }: { isOn: boolean; older: Batch | undefined }) {
  const name = JSON.stringify(filter)
  const empty = { name, rows: [], newest: null }
  const [stored, setTail] = useState<Tail>(empty)
  const [failure, setFailure] = useState<unknown>(null)
  /** The time from which to read new rows if the log is empty. The extra minute allows for a clock that is ahead. */
  const [openedAt] = useState(() => Date.now() - MINUTE)
  const tail = stored.name === name ? stored : empty
  const now = useRef({ filter, tail, older })
  useEffect(() => {
    now.current = { filter, tail, older }
  })
  useEffect(() => {
    if (!isOn) return
    const stopping = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const poll = async () => {
      const { filter: currentFilter, tail: currentTail, older: before } = now.current
      try {
        if (document.visibilityState === 'visible') {
          const since = currentTail.newest ?? before?.newest ?? openedAt
          const ids = new Set([...currentTail.rows, ...(before?.rows.slice(0, 1) ?? [])].map(({ id }) => id))
          const newer = await readNewerLogs(currentFilter, { since, ids }, stopping.signal)
          setTail({ name, rows: mergeRows(newer.rows, currentTail.rows), newest: newer.newest })
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
  return { rows: tail.rows, failure: failure instanceof Error ? failure : null }
}
