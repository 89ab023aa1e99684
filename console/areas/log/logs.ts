import type { z } from 'zod'
import type { LogSchema } from '../../../src/contract/logs.schema.ts'
import { csvLine } from '../../../src/domain/csv.ts'

export type Log = z.infer<typeof LogSchema>

/** Those the API compares (spec/management#logs), and result and hook, which are compared here: they have no index. */
export type LogFilter = {
  logKey?: string
  userId?: string
  applicationId?: string
  from?: number
  to?: number
  result?: 'Success' | 'Error'
  hookId?: string
}

/** Where the next older rows begin: rows may be written meanwhile, so pages are counted from a time and not from the newest row. */
export type Cursor = { to: number; page: number }

export const PAGE_SIZE = 100

/** Behind a page that was read from `cursor` on; null behind the last one. The next page repeats rows of the same millisecond. */
export function nextCursor(rows: readonly Log[], cursor: Cursor | null): Cursor | null {
  const last = rows.at(-1)
  if (!last || rows.length < PAGE_SIZE) return null
  return { to: last.createdAt, page: last.createdAt === cursor?.to ? cursor.page + 1 : 1 }
}

/** All of them once, newest first. */
export function merged(...lists: readonly (readonly Log[])[]): Log[] {
  const byId = new Map(lists.flat().map((row) => [row.id, row]))
  return [...byId.values()].sort(
    (one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1),
  )
}

export const isWanted = ({ result, hookId }: LogFilter, { payload }: Log): boolean =>
  (result === undefined || payload.result === result) && (hookId === undefined || payload.hookId === hookId)

/** A text or number of the payload. */
export function factOf({ payload }: Log, name: string): string {
  const value = payload[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The code of a refusal, or the message of a failure. */
export function errorOf({ payload: { error } }: Log): string {
  if (typeof error !== 'object' || error === null) return ''
  const { code, message }: { code?: unknown; message?: unknown } = error
  return typeof code === 'string' ? code : typeof message === 'string' ? message : ''
}

const facts = [
  'userId',
  'applicationId',
  'ip',
  'country',
  'city',
  'sessionId',
  'interactionId',
  'requestId',
  'count',
  'userAgent',
]

export const csvHeader = csvLine(['time', 'key', 'result', 'error', ...facts, 'id'])

export const csvRow = (log: Log): string =>
  csvLine([
    new Date(log.createdAt).toISOString(),
    log.key,
    log.payload.result,
    errorOf(log),
    ...facts.map((name) => factOf(log, name)),
    log.id,
  ])

const MINUTE = 60_000

/** Around one row of an interaction: most take less than the first, and none lasts longer than the second. Milliseconds. */
export const timelineWindows: readonly number[] = [5 * MINUTE, 60 * MINUTE]

/** Whether its first and its last row are there. */
export const isWhole = (steps: readonly Log[]): boolean =>
  ['Interaction.Create', 'Interaction.End'].every((key) => steps.some((log) => log.key === key))

/**
 * The rows of one interaction, oldest first: its calls, its end, and the exchange of its code, which the session and the
 * application connect with it.
 */
export function timelineOf(interactionId: string, rows: readonly Log[]): Log[] {
  const own = rows.filter((log) => factOf(log, 'interactionId') === interactionId)
  const end = own.find(({ key }) => key === 'Interaction.End')
  const exchange =
    end &&
    rows.findLast(
      (log) =>
        log.key === 'ExchangeTokenBy.AuthorizationCode' &&
        log.createdAt >= end.createdAt &&
        factOf(log, 'sessionId') !== '' &&
        factOf(log, 'sessionId') === factOf(end, 'sessionId') &&
        factOf(log, 'applicationId') === factOf(end, 'applicationId'),
    )
  return merged(own, exchange ? [exchange] : []).reverse()
}
