import type { z } from 'zod'
import type { LogSchema } from '../../../src/contract/logs.schema.ts'
import { MINUTE } from '../../../src/contract/time.ts'
import { csvLine } from '../../../src/domain/csv.ts'

export type Log = z.infer<typeof LogSchema>

/**
 * The filter of the log. The API filters by most fields (spec/management#logs). It has no index for results, webhooks
 * and parts of keys, so the console filters by those.
 */
export type LogFilter = {
  logKey?: string
  keyPart?: string
  /** The id of the actor. */
  by?: string
  /** The id of the user or application that the entry is about. */
  of?: string
  userId?: string
  applicationId?: string
  organizationId?: string
  interactionId?: string
  from?: number
  to?: number
  result?: 'Success' | 'Error'
  hookId?: string
}

/**
 * The position at which older rows begin. Pages are counted from a time and not from the newest row, because rows may
 * be written in the meantime.
 */
export type Cursor = { to: number; page: number }

export const PAGE_SIZE = 100

/**
 * Returns the cursor that follows the page read from `cursor`, or null after the last page. The next page repeats the
 * rows with the same time as the last row.
 */
export function nextCursor(rows: readonly Log[], cursor: Cursor | null): Cursor | null {
  const last = rows.at(-1)
  if (!last || rows.length < PAGE_SIZE) return null
  return { to: last.createdAt, page: last.createdAt === cursor?.to ? cursor.page + 1 : 1 }
}

/** Merges lists of rows without duplicates, newest first. */
export function mergeRows(...lists: readonly (readonly Log[])[]): Log[] {
  const byId = new Map(lists.flat().map((row) => [row.id, row]))
  return [...byId.values()].sort(
    (one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1),
  )
}

/** Formats a value that a change has replaced. Each item of a list of texts is on a line of its own. */
export const formatFieldValue = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')
      ? value.join('\n')
      : JSON.stringify(value, null, 1)

export const matchesFilter = ({ result, hookId, keyPart = '' }: LogFilter, { key, payload }: Log): boolean =>
  (result === undefined || payload.result === result) &&
  (hookId === undefined || payload.hookId === hookId) &&
  key.toLowerCase().includes(keyPart.toLowerCase())

/**
 * Tells whether the filter hides rows that the API returns. If so, the visible rows don't show how far back the search
 * went.
 */
export const hidesRows = ({ result, keyPart }: LogFilter): boolean =>
  result !== undefined || keyPart !== undefined

/** Returns a string or number in the payload as text. */
export function readPayloadField({ payload }: Log, name: string): string {
  const value = payload[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Returns the id of the application, or the URL of an unregistered client. */
export const readApplicationId = (log: Log) =>
  readPayloadField(log, 'applicationId') || readPayloadField(log, 'unregisteredClient')

/** Returns the error code or the message of a failure. */
export function readErrorCode({ payload: { error } }: Log): string {
  if (typeof error !== 'object' || error === null) return ''
  const { code, message }: { code?: unknown; message?: unknown } = error
  return typeof code === 'string' ? code : typeof message === 'string' ? message : ''
}

/** Returns the ids of the users whom an entry names: its actor and the user it is about. */
export function readUserIds(log: Log): string[] {
  const { actor } = log
  const isUser = actor?.type === 'user' || actor?.type === 'administrator'
  return [isUser ? (actor.id ?? '') : '', readPayloadField(log, 'userId')].filter((id) => id !== '')
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

export const csvHeader = csvLine([
  ...['time', 'key', 'result', 'error', 'actorType', 'actorId'],
  ...facts,
  'changes',
  'id',
])

export const csvRow = (log: Log): string =>
  csvLine([
    new Date(log.createdAt).toISOString(),
    log.key,
    log.payload.result,
    readErrorCode(log),
    log.actor?.type ?? '',
    log.actor?.id ?? '',
    ...facts.map((name) => readPayloadField(log, name)),
    log.payload.changes ? JSON.stringify(log.payload.changes) : '',
    log.id,
  ])

/**
 * The maximum time between the end of an interaction and its code exchange. A code is valid for one minute
 * (spec/provider#token-lifetimes).
 */
const EXCHANGE_WITHIN = 2 * MINUTE

const findEnd = (rows: readonly Log[]) => rows.find(({ key }) => key === 'Interaction.End')

/**
 * Returns the filter that finds the code exchange of an interaction, or null if the interaction didn't sign anyone in.
 * A filter is needed because the log entries of the exchange don't contain the id of the interaction.
 */
export function findExchangeFilter(rows: readonly Log[]): LogFilter | null {
  const end = findEnd(rows)
  const userId = end && readPayloadField(end, 'userId')
  if (!end || !userId) return null
  const applicationId = readPayloadField(end, 'applicationId')
  return {
    logKey: 'ExchangeTokenBy.AuthorizationCode',
    userId,
    ...(applicationId && { applicationId }),
    from: end.createdAt,
    to: end.createdAt + EXCHANGE_WITHIN,
  }
}

/** The fields in which the log entries of the exchange match the last entry of the interaction. */
const matchingFacts = ['sessionId', 'applicationId', 'unregisteredClient']

/** Returns the log entries of an interaction, oldest first, followed by the exchange of its code. */
export function buildTimeline(rows: readonly Log[], exchanges: readonly Log[]): Log[] {
  const end = findEnd(rows)
  const exchange = mergeRows(exchanges).findLast(
    (log) =>
      end && matchingFacts.every((name) => readPayloadField(log, name) === readPayloadField(end, name)),
  )
  return mergeRows(rows, exchange ? [exchange] : []).reverse()
}

/**
 * Formats the time since the start of an interaction: in tenths of a second up to a minute, then in minutes and
 * seconds.
 */
export function formatElapsed(milliseconds: number, number: (value: number) => string): string {
  if (milliseconds < MINUTE) return `+${number(Math.floor(milliseconds / 100) / 10)} s`
  const [minutes, seconds] = [Math.floor(milliseconds / MINUTE), Math.floor((milliseconds % MINUTE) / 1000)]
  return `+${minutes}:${String(seconds).padStart(2, '0')} min`
}
