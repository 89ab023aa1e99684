import { type Cursor, type Log, type LogFilter, matchesFilter, nextCursor, PAGE_SIZE } from './logs.ts'

/** Reads one page of rows, newest first. Rows that don't match are filtered here (`matchesFilter`). */
export type ReadPage = (filter: LogFilter, cursor: Cursor | null) => Promise<Log[]>

export type Batch = {
  rows: Log[]
  /** The cursor of the next batch, or null at the end of the log. */
  next: Cursor | null
  /** The time back to which the log was searched. The visible rows may not go back that far. */
  until: number | null
  /** The time of the newest row that was read, whether it matched or not. */
  newest: number | null
}

/**
 * The maximum number of pages that are read at once if the filter includes a result, a webhook or part of a key. The
 * API can't filter by these, so the console discards the rows that don't match.
 */
const MAX_PAGES = 10

/** Reads the next batch of older rows, newest first. */
export async function readOlderRows(
  filter: LogFilter,
  cursor: Cursor | null,
  read: ReadPage,
): Promise<Batch> {
  const matching: Log[] = []
  let next: Cursor | null = cursor
  let until: number | null = null
  let newest: number | null = null
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const rows = await read(filter, next)
    matching.push(...rows.filter((row) => matchesFilter(filter, row)))
    newest ??= rows[0]?.createdAt ?? null
    until = rows.at(-1)?.createdAt ?? until
    next = nextCursor(rows, next)
    if (next === null || matching.length >= PAGE_SIZE / 2) break
  }
  return { rows: matching, next, until, newest }
}

/** Rows are written after the response is sent, so an older row may be written after a newer one. */
const OVERLAP_MS = 10_000

type LastRead = {
  /**
   * The time of the newest row that was read before, whether it matched or not. Starting from the newest visible row
   * would read all hidden rows again.
   */
  since: number
  ids: ReadonlySet<string>
}

/**
 * Reads the rows written since the last read. They may include rows that are already known. `newest` is the start of
 * the next read.
 */
export async function readNewerRows(
  filter: LogFilter,
  { since, ids }: LastRead,
  read: ReadPage,
): Promise<{ rows: Log[]; newest: number }> {
  const matching: Log[] = []
  const narrowed = { ...filter, from: Math.max(filter.from ?? 0, since - OVERLAP_MS) }
  let newest = since
  let cursor: Cursor | null = null
  do {
    const rows = await read(narrowed, cursor)
    matching.push(...rows.filter((row) => matchesFilter(filter, row)))
    newest = Math.max(newest, rows[0]?.createdAt ?? 0)
    const last = rows.at(-1)
    cursor = last && ids.has(last.id) ? null : nextCursor(rows, cursor)
  } while (cursor)
  return { rows: matching, newest }
}
