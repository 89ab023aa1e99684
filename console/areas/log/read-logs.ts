import { call } from '../../api/client.ts'
import {
  type Cursor,
  exchangeFilter,
  isWanted,
  type Log,
  type LogFilter,
  nextCursor,
  PAGE_SIZE,
  timelineOf,
} from './logs.ts'

export type Batch = {
  rows: Log[]
  /** Null at the end of the log. */
  next: Cursor | null
  /** How far back was looked, where the rows do not show it. */
  until: number | null
}

/** A filter by result, hook or a part of the key reads at most so many pages at once: other rows are read and left out. */
const MOST_PAGES = 10

/** The next rows that are older, newest first. */
export async function readOlder(
  filter: LogFilter,
  cursor: Cursor | null,
  signal?: AbortSignal,
): Promise<Batch> {
  const found: Log[] = []
  let next: Cursor | null = cursor
  let until: number | null = null
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { rows, following } = await readPage(filter, next, signal)
    found.push(...rows.filter((row) => isWanted(filter, row)))
    until = rows.at(-1)?.createdAt ?? until
    next = following
    if (next === null || found.length >= PAGE_SIZE / 2) break
  }
  return { rows: found, next, until }
}

async function readPage(filter: LogFilter, cursor: Cursor | null, signal: AbortSignal | undefined) {
  const { result: _result, hookId: _hookId, keyPart: _keyPart, ...asked } = filter
  const query = { ...asked, page_size: PAGE_SIZE, ...cursor }
  const { data: rows } = await call<Log[]>('/logs', { query, ...(signal && { signal }) })
  return { rows, following: nextCursor(rows, cursor) }
}

/** Rows are written after the answer to which they belong, so older ones may appear after newer ones. */
const OVERLAP_MS = 10_000

/** What was written since, with some that are known. */
export async function readNewer(
  filter: LogFilter,
  since: number,
  known: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Log[]> {
  const found: Log[] = []
  const asked = { ...filter, from: Math.max(filter.from ?? 0, since - OVERLAP_MS) }
  let cursor: Cursor | null = null
  do {
    const { rows, following } = await readPage(asked, cursor, signal)
    found.push(...rows.filter((row) => isWanted(filter, row)))
    const last = rows.at(-1)
    cursor = last && known.has(last.id) ? null : following
  } while (cursor)
  return found
}

/** One interaction, step by step. */
export async function readTimeline(interactionId: string, signal: AbortSignal): Promise<Log[]> {
  const own = await readAll({ interactionId }, signal)
  const exchange = exchangeFilter(own)
  return timelineOf(own, exchange ? await readAll(exchange, signal) : [])
}

async function readAll(filter: LogFilter, signal: AbortSignal): Promise<Log[]> {
  const rows: Log[] = []
  let cursor: Cursor | null = null
  do {
    const batch = await readOlder(filter, cursor, signal)
    rows.push(...batch.rows)
    cursor = batch.next
  } while (cursor)
  return rows
}
