import { call } from '../../api/client.ts'
import { type Batch, newerRows, olderRows, type ReadPage } from './batches.ts'
import { type Cursor, exchangeFilter, type Log, type LogFilter, PAGE_SIZE, timelineOf } from './logs.ts'

/** The next rows that are older, newest first. */
export const readOlder = (filter: LogFilter, cursor: Cursor | null, signal?: AbortSignal): Promise<Batch> =>
  olderRows(filter, cursor, pagesOfApi(signal))

/** What was written since, with some that are known. */
export const readNewer = (filter: LogFilter, last: Parameters<typeof newerRows>[1], signal: AbortSignal) =>
  newerRows(filter, last, pagesOfApi(signal))

const pagesOfApi =
  (signal: AbortSignal | undefined): ReadPage =>
  async ({ result: _result, hookId: _hookId, keyPart: _keyPart, ...filter }, cursor) => {
    const query = { ...filter, page_size: PAGE_SIZE, ...cursor }
    return (await call<Log[]>('/logs', { query, ...(signal && { signal }) })).data
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
