import { MINUTE } from '../contract/time.ts'
import { type NewLog, toStoredPayload } from './logs.ts'
import type { LogPayload, LogStep } from './tables.ts'

/**
 * Steps: audit entries that share the row of another entry (spec/storage#log-steps). One row costs less than several,
 * and the steps need not repeat what their row says.
 *
 * The payload of such a row lists its entries in their order. Each contains only what differs from the row, so the
 * row's own entry, which its columns describe, is an empty object.
 */

/**
 * The maximum time between a step and its row, so that readers who look for an entry by its time know which rows to
 * read. Most users sign in faster; the earlier entries of those who do not get rows of their own. Our choice.
 */
export const MAX_STEP_AGE = 10 * MINUTE

/** The fields that a step shares with its row unless it has values of its own. */
const SHARED = ['result', 'requestId', 'sessionId', 'ip', 'userAgent', 'country', 'city', 'params'] as const
/** The fields that a step always shares with its row, because they find the row. An erased row has erased steps. */
const IDENTIFYING = ['userId', 'applicationId', 'unregisteredClient', 'interactionId', 'isErased'] as const
const COMMON: readonly string[] = [...SHARED, ...IDENTIFYING]

type Steps = { before?: readonly NewLog[]; after?: readonly NewLog[] }

/**
 * Puts entries into the row of another entry, as far as they fit. Returns the row, and then the entries that need rows
 * of their own: those about another user or application, those with an actor or with changes, those that are much
 * older, and those that would exceed the size of a row (spec/limits#log-rows).
 */
export function joinLogs<Log extends NewLog>(
  log: Log,
  { before = [], after = [] }: Steps,
): [Log, ...NewLog[]] {
  // Only some entries of an interaction name its application.
  const [applicationId] = [log, ...before, ...after].flatMap((entry) => applicationOf(entry) ?? [])
  const payload = toStoredPayload(log.key, { ...log.payload, applicationId })
  const steps: { before: LogStep[]; after: LogStep[] } = { before: [], after: [] }
  const others: NewLog[] = []
  let joined = payload
  const join = (place: keyof Steps, entry: NewLog) => {
    const step = stepOf({ ...log, payload }, entry)
    const more = { ...steps, [place]: [...steps[place], step] }
    const next = { ...payload, keys: keysOf(log.key, more), steps: [...more.before, {}, ...more.after] }
    if (!step || !isUnchanged(toStoredPayload(log.key, next), next)) return void others.push(entry)
    steps[place].push(step)
    joined = next
  }
  for (const entry of before) join('before', entry)
  for (const entry of after) join('after', entry)
  return [{ ...log, payload: joined }, ...others]
}

const applicationOf = ({ payload }: NewLog) =>
  payload.applicationId ??
  (typeof payload.unregisteredClient === 'string' ? payload.unregisteredClient : undefined)

const isUnchanged = (stored: object, payload: object) => JSON.stringify(stored) === JSON.stringify(payload)

/** The keys of a row's entries, each once and in sorted order, so that rows with the same keys have the same text. */
const keysOf = (key: string, { before, after }: { before: LogStep[]; after: LogStep[] }) =>
  [...new Set([key, ...[...before, ...after].flatMap((step) => step?.key ?? [])])].toSorted().join(' ')

/** Returns what differs from the row, or null if the entry needs a row of its own. */
function stepOf(row: NewLog, { key, createdAt, payload }: NewLog): LogStep | null {
  const { key: _key, ...fields } = toStoredPayload(key, payload)
  const isElsewhere = IDENTIFYING.some(
    (name) => fields[name] !== undefined && fields[name] !== row.payload[name],
  )
  const needsColumns = [row.payload, fields].some(({ actor, changes }) => actor ?? changes)
  if (isElsewhere || needsColumns || row.createdAt - createdAt > MAX_STEP_AGE) return null
  const isCommon = ([name, value]: [string, unknown]) =>
    COMMON.includes(name) && isEqual(value, row.payload[name])
  const own = Object.entries(fields).filter((field) => field[1] !== undefined && !isCommon(field))
  const absent = SHARED.filter((name) => fields[name] === undefined && row.payload[name] !== undefined)
  return {
    key,
    // A step is never newer than its row, or else the order of the rows would not tell where the newest entries are.
    ...(createdAt < row.createdAt && { createdAt }),
    ...Object.fromEntries(own),
    ...Object.fromEntries(absent.map((name) => [name, null])),
  }
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** An audit entry as the database stores it: the entry of a row, or a step with what it has in common with its row. */
export type StoredLog = { id: string; key: string; payload: LogPayload; createdAt: number }

/** Returns the entries of a row, the last one first. */
export const entriesOf = (row: StoredLog): StoredLog[] =>
  stepsOf(row)
    .map((_, position) => entryAt(row, position))
    .reverse()

/** Returns the entry of a row with this position, which counts from zero. The position must exist. */
export function entryAt(row: StoredLog, position: number): StoredLog {
  const { steps: _steps, keys: _keys, ...own } = row.payload
  const { key, createdAt = row.createdAt, ...fields } = stepsOf(row)[position] ?? {}
  if (key === undefined) return { ...row, payload: own }
  const common = COMMON.map((name) => [name, own[name]])
  const isPresent = ([, value]: [string, unknown]) => value !== undefined && value !== null
  const shared = Object.entries({ ...Object.fromEntries(common), ...fields })
  return {
    id: `${row.id}.${position + 1}`,
    key,
    createdAt,
    payload: { ...Object.fromEntries(shared.filter(isPresent)), key, result: fields.result ?? own.result },
  }
}

/** Returns the id of an entry's row, which is also the id of the row's own entry. */
export const rowIdOf = (id: string): string => id.replace(/\.\d+$/, '')

/** Returns the entry with this id, or null if the row has none with it. */
export const entryWithId = (row: StoredLog, id: string): StoredLog | null =>
  entriesOf(row).find((entry) => entry.id === id) ?? null

const stepsOf = ({ payload }: StoredLog): readonly LogStep[] => payload.steps ?? [{}]
