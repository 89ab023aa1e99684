/**
 * Limits the size of rows in the audit log and the service log (spec/limits#log-rows), because requests may be much
 * larger.
 */

/** The maximum length of a value, in characters, and of a row, in bytes of JSON. */
type Bounds = { value: number; row: number }

/** The limits of rows that unauthenticated requests can add. */
const OPEN: Bounds = { value: 256, row: 2_048 }
/** The limits of rows that record operators' changes and hook deliveries. */
const OPERATED: Bounds = { value: 8_192, row: 128 * 1_024 }

/**
 * The maximum number of audit rows per tenant per hour that unauthenticated callers can create, except for wrong
 * passwords of existing accounts. Further rows are only counted. We chose a number that results in less than 2 MB per
 * hour: a database has room for 90 days of this for one tenant.
 */
export const MAX_UNPROVEN_ROWS_PER_HOUR = 1_000

const boundsOf = (key: string): Bounds => (/^(?:Management|TriggerHook)\./.test(key) ? OPERATED : OPEN)

/** The most important fields of a row. They are kept first if not everything fits. */
const FACTS = [
  'key',
  'result',
  'applicationId',
  'userId',
  'sessionId',
  'interactionId',
  'ip',
  'userAgent',
  'error',
  'actor',
  'changed',
]

/**
 * Limits a payload to the size allowed for its key. Long strings are truncated. Anything that still does not fit is
 * left out, and `isTruncated` is set.
 */
export function limitPayload(key: string, payload: object): object {
  const bounds = boundsOf(key)
  const shortened = cutTexts(payload, bounds.value)
  if (typeof shortened !== 'object' || shortened === null || sizeOf(shortened) <= bounds.row)
    return shortened ?? {}
  const rankOf = ([name]: [string, unknown]) => (FACTS.includes(name) ? FACTS.indexOf(name) : FACTS.length)
  const ordered = Object.entries(shortened).toSorted((one, other) => rankOf(one) - rankOf(other))
  return { ...trimToFit(Object.fromEntries(ordered), bounds.row - sizeOf(MARK)), ...MARK }
}

const MARK = { isTruncated: true }

/** Truncates a text to at most `maxLength` characters, without splitting a code point. */
export function truncateText(text: string, maxLength = OPEN.value): string {
  if (text.length <= maxLength) return text
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function cutTexts(value: unknown, maxLength: number): unknown {
  if (typeof value === 'string') return truncateText(value, maxLength)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => cutTexts(item, maxLength))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [truncateText(name, maxLength), cutTexts(item, maxLength)]),
  )
}

/** Keeps as many entries as fit, and trims their values. */
function trimToFit(value: object, room: number): object {
  const isList = Array.isArray(value)
  const keptEntries: [string, unknown][] = []
  let left = room - 2 // brackets
  for (const [name, item] of Object.entries(value)) {
    const overhead = (isList ? 0 : sizeOf(name) + 1) + 1 // colon, comma
    const trimmed = trimValue(item, left - overhead)
    if (trimmed === undefined) continue
    keptEntries.push([name, trimmed])
    left -= overhead + sizeOf(trimmed)
  }
  return isList ? keptEntries.map(([, item]) => item) : Object.fromEntries(keptEntries)
}

function trimValue(value: unknown, room: number): unknown {
  if (sizeOf(value) <= room) return value
  return typeof value === 'object' && value !== null && room > 2 ? trimToFit(value, room) : undefined
}

const encoder = new TextEncoder()
const sizeOf = (value: unknown): number => encoder.encode(JSON.stringify(value) ?? '').length
