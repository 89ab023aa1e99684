import { type Cursor, type Log, type LogFilter, matchesFilter, nextCursor, PAGE_SIZE } from './logs.ts'

/** Rows of one page, newest first; what is not wanted of them is left out here (`isWanted`). */
export type ReadPage = (filter: LogFilter, cursor: Cursor | null) => Promise<Log[]>

export type Batch = {
  rows: Log[]
  /** Null at the end of the log. */
  next: Cursor | null
  /** How far back was looked, where the rows do not show it. */
  until: number | null
  /** The time of the newest row that was read, wanted or not. */
  newest: number | null
}

/** A filter by result, hook or a part of the key reads at most so many pages at once: other rows are read and left out. */
const MAX_PAGES = 10

/** The next rows that are older, newest first. */
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

/** Rows are written after the answer to which they belong, so older ones may appear after newer ones. */
const OVERLAP_MS = 10_000

type LastRead = {
  /** The time of the newest row that was read before, wanted or not: from one that is shown, all that were left out since are read again. */
  since: number
  ids: ReadonlySet<string>
}

/** What was written since, with some that are known; `newest` is where the next call begins. */
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
