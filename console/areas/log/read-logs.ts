import { call } from '../../api/client.ts'
import { type Batch, type ReadPage, readNewerRows, readOlderRows } from './batches.ts'
import {
  buildTimeline,
  type Cursor,
  findExchangeFilter,
  type Log,
  type LogFilter,
  PAGE_SIZE,
} from './logs.ts'

/** Reads the next batch of older rows, newest first. */
export const readOlderLogs = (
  filter: LogFilter,
  cursor: Cursor | null,
  signal?: AbortSignal,
): Promise<Batch> => readOlderRows(filter, cursor, pagesOfApi(signal))

/** Reads the rows written since the last read. They may include rows that are already known. */
export const readNewerLogs = (
  filter: LogFilter,
  last: Parameters<typeof readNewerRows>[1],
  signal: AbortSignal,
) => readNewerRows(filter, last, pagesOfApi(signal))

const pagesOfApi =
  (signal: AbortSignal | undefined): ReadPage =>
  async ({ result: _result, hookId: _hookId, keyPart: _keyPart, ...filter }, cursor) => {
    const query = { ...filter, page_size: PAGE_SIZE, ...cursor }
    return (await call<Log[]>('/logs', { query, ...(signal && { signal }) })).data
  }

/** Reads the steps of one interaction. */
export async function readTimeline(interactionId: string, signal: AbortSignal): Promise<Log[]> {
  const own = await readAll({ interactionId }, signal)
  const exchange = findExchangeFilter(own)
  return buildTimeline(own, exchange ? await readAll(exchange, signal) : [])
}

async function readAll(filter: LogFilter, signal: AbortSignal): Promise<Log[]> {
  const rows: Log[] = []
  let cursor: Cursor | null = null
  do {
    const batch = await readOlderLogs(filter, cursor, signal)
    rows.push(...batch.rows)
    cursor = batch.next
  } while (cursor)
  return rows
}
