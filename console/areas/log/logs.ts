import type { z } from 'zod'
import type { LogSchema } from '../../../src/contract/logs.schema.ts'
import { MINUTE } from '../../../src/contract/time.ts'
import { csvLine } from '../../../src/domain/csv.ts'

export type Log = z.infer<typeof LogSchema>

/** Those the API compares (spec/management#logs), and result, hook and a part of the key, which are compared here: they have no index. */
export type LogFilter = {
  logKey?: string
  keyPart?: string
  userId?: string
  applicationId?: string
  interactionId?: string
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
export function mergeRows(...lists: readonly (readonly Log[])[]): Log[] {
  const byId = new Map(lists.flat().map((row) => [row.id, row]))
  return [...byId.values()].sort(
    (one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1),
  )
}

export const matchesFilter = ({ result, hookId, keyPart = '' }: LogFilter, { key, payload }: Log): boolean =>
  (result === undefined || payload.result === result) &&
  (hookId === undefined || payload.hookId === hookId) &&
  key.toLowerCase().includes(keyPart.toLowerCase())

/** Whether rows that the API answers are left out here: then those that are shown do not say how far back was looked. */
export const hidesRows = ({ result, keyPart }: LogFilter): boolean =>
  result !== undefined || keyPart !== undefined

/** A text or number of the payload. */
export function readFact({ payload }: Log, name: string): string {
  const value = payload[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Its id; of a client that is not registered its address. */
export const readApplicationId = (log: Log) =>
  readFact(log, 'applicationId') || readFact(log, 'unregisteredClient')

/** The code of a refusal, or the message of a failure. */
export function readErrorCode({ payload: { error } }: Log): string {
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
    readErrorCode(log),
    ...facts.map((name) => readFact(log, name)),
    log.id,
  ])

/** A code is good for one minute (spec/provider#token-lifetimes). */
const EXCHANGE_WITHIN = 2 * MINUTE

const findEnd = (own: readonly Log[]) => own.find(({ key }) => key === 'Interaction.End')

/** Finds the exchange of the code of an interaction, which does not name it; null where nobody was signed in by it. */
export function exchangeFilter(own: readonly Log[]): LogFilter | null {
  const end = findEnd(own)
  const userId = end && readFact(end, 'userId')
  if (!end || !userId) return null
  const applicationId = readFact(end, 'applicationId')
  return {
    logKey: 'ExchangeTokenBy.AuthorizationCode',
    userId,
    ...(applicationId && { applicationId }),
    from: end.createdAt,
    to: end.createdAt + EXCHANGE_WITHIN,
  }
}

/** What the exchange has in common with the end of the interaction. */
const matchingFacts = ['sessionId', 'applicationId', 'unregisteredClient']

/** The rows of an interaction, oldest first, with the first of the exchanges that is of its code. */
export function buildTimeline(own: readonly Log[], exchanges: readonly Log[]): Log[] {
  const end = findEnd(own)
  const exchange = mergeRows(exchanges).findLast(
    (log) => end && matchingFacts.every((name) => readFact(log, name) === readFact(end, name)),
  )
  return mergeRows(own, exchange ? [exchange] : []).reverse()
}

/** Since the beginning of an interaction: in tenths of a second for a minute, then in minutes and seconds. */
export function formatElapsed(milliseconds: number, number: (value: number) => string): string {
  if (milliseconds < MINUTE) return `+${number(Math.floor(milliseconds / 100) / 10)} s`
  const [minutes, seconds] = [Math.floor(milliseconds / MINUTE), Math.floor((milliseconds % MINUTE) / 1000)]
  return `+${minutes}:${String(seconds).padStart(2, '0')} min`
}
