/** How much a row of the audit log or of the service log holds (spec/limits#log-rows): callers may send more than that. */

/** In characters and in bytes of JSON. */
type Bounds = { value: number; row: number }

/** Of rows that an unauthenticated request can cause. */
const OPEN: Bounds = { value: 256, row: 2_048 }
/** Of changes by operators and of deliveries to their hooks. */
const OPERATED: Bounds = { value: 8_192, row: 128 * 1_024 }

/**
 * Audit rows of a tenant in an hour that callers cause who have proved nothing, without wrong passwords at accounts; more
 * are counted. Ours: an hour of them has less than 2 MB, and 90 days of such hours of one tenant fit into a database.
 */
export const MAX_UNPROVEN_ROWS = 1_000

const boundsOf = (key: string): Bounds => (/^(?:Management|TriggerHook)\./.test(key) ? OPERATED : OPEN)

/** What a row says first: kept before anything else where not everything fits. */
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
]

/** Of the key's row. Texts are cut, and what still does not fit is left out: `isTruncated` says so. */
export function boundedPayload(key: string, payload: object): object {
  const bounds = boundsOf(key)
  const cut = cutIn(payload, bounds.value)
  if (typeof cut !== 'object' || cut === null || sizeOf(cut) <= bounds.row) return cut ?? {}
  const fact = ([name]: [string, unknown]) => (FACTS.includes(name) ? FACTS.indexOf(name) : FACTS.length)
  const ordered = Object.entries(cut).toSorted((one, other) => fact(one) - fact(other))
  return { ...fitting(Object.fromEntries(ordered), bounds.row - sizeOf(MARK)), ...MARK }
}

const MARK = { isTruncated: true }

/** A text of at most `longest` characters, cut between two code points. */
export function cutText(text: string, longest = OPEN.value): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function cutIn(value: unknown, longest: number): unknown {
  if (typeof value === 'string') return cutText(value, longest)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => cutIn(item, longest))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [cutText(name, longest), cutIn(item, longest)]),
  )
}

/** As many entries as fit, each in the parts that do. */
function fitting(value: object, room: number): object {
  const isList = Array.isArray(value)
  const fittedEntries: [string, unknown][] = []
  let left = room - 2 // the brackets
  for (const [name, item] of Object.entries(value)) {
    const before = (isList ? 0 : sizeOf(name) + 1) + 1 // colon and comma
    const fitted = fittingValue(item, left - before)
    if (fitted === undefined) continue
    fittedEntries.push([name, fitted])
    left -= before + sizeOf(fitted)
  }
  return isList ? fittedEntries.map(([, item]) => item) : Object.fromEntries(fittedEntries)
}

function fittingValue(value: unknown, room: number): unknown {
  if (sizeOf(value) <= room) return value
  return typeof value === 'object' && value !== null && room > 2 ? fitting(value, room) : undefined
}

const encoder = new TextEncoder()
const sizeOf = (value: unknown): number => encoder.encode(JSON.stringify(value) ?? '').length
