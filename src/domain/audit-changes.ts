import { isRecord } from '../contract/is-record.ts'
import type { FieldChanges } from '../contract/logs.schema.ts'
import { truncateText } from './log-bounds.ts'

/**
 * The fields whose values an audit row never contains, at any depth (spec/management#audit-changes). The secrets of
 * connectors have further names; their forms mark them (`hideSecrets`).
 */
const secretFields: ReadonlySet<string> = new Set([
  'accessSecretKey',
  'connectionString',
  'headers',
  'pass',
  'password',
  'passwordEncrypted',
  'sealedSecret',
  'secret',
  'signingKey',
  'token',
])

/** Fields of objects have entries of their own up to this depth. Deeper objects are compared as a whole. */
const MAX_DEPTH = 4
/** The maximum length of a list or an object as JSON, in characters. Longer ones become truncated texts. Our choice. */
const MAX_JSON_LENGTH = 1_024

/**
 * Returns the values of the fields that differ between two states of an entity, for its audit row. Secret fields are
 * left out, and long values are truncated.
 */
export function describeChanges(before: object, after: object): { changes?: FieldChanges } {
  const entries = findDifferences(withoutSecrets(before), withoutSecrets(after), [])
  return entries.length > 0 ? { changes: Object.fromEntries(entries) } : {}
}

type Difference = [path: string, change: FieldChanges[string]]

function findDifferences(before: unknown, after: unknown, path: readonly string[]): Difference[] {
  const isCompared = [before, after].some(isObject) && [before, after].every(isObjectOrEmpty)
  if (isCompared && path.length < MAX_DEPTH) {
    const [stored, changed] = [new Map(Object.entries(before ?? {})), new Map(Object.entries(after ?? {}))]
    return [...new Set([...stored.keys(), ...changed.keys()])].flatMap((name) =>
      findDifferences(stored.get(name), changed.get(name), [...path, name]),
    )
  }
  const [from, to] = [shorten(before), shorten(after)]
  // Whole values are compared, because truncated ones may be equal.
  const isEqual = JSON.stringify(emptyAsNull(before)) === JSON.stringify(emptyAsNull(after))
  return isEqual ? [] : [[path.join('.'), { before: from, after: to }]]
}

const isObject = (value: unknown) => isRecord(value) && !Array.isArray(value)
const isObjectOrEmpty = (value: unknown) => isObject(value) || emptyAsNull(value) === null

/** The database stores an empty text as null (spec/storage#empty-text). */
const emptyAsNull = (value: unknown) => (value === undefined || value === '' ? null : value)

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return truncateText(value) || null
  const json = JSON.stringify(value ?? null)
  return json.length > MAX_JSON_LENGTH ? truncateText(json) : (value ?? null)
}

/** A switch named after a secret, such as whether a sign-in method has a password, is no secret. */
function withoutSecrets(value: unknown): unknown {
  if (!isRecord(value)) return value
  if (Array.isArray(value)) return value.map(withoutSecrets)
  const open = Object.entries(value).filter(
    ([name, item]) => !secretFields.has(name) || typeof item === 'boolean',
  )
  return Object.fromEntries(open.map(([name, item]) => [name, withoutSecrets(item)]))
}

/**
 * Returns an object after a patch that is merged key by key, in which null removes a key (RFC 7396). `depth` is the
 * number of levels that are merged.
 */
export function mergePatch(stored: object, patch: object = {}, depth = 1): object {
  const values = new Map<string, unknown>(Object.entries(stored))
  for (const [name, item] of Object.entries(patch)) {
    const value = values.get(name)
    values.set(
      name,
      depth > 1 && isRecord(value) && isRecord(item) ? mergePatch(value, item, depth - 1) : item,
    )
  }
  return Object.fromEntries(values)
}

const HIDDEN = '******'

/**
 * Hides the values of changed fields from callers who may not read the entity (spec/management#audit-changes), and the
 * names within objects, which users and operators may choose.
 */
export const hideChanges = (changes: FieldChanges): FieldChanges =>
  Object.fromEntries(
    Object.keys(changes).map((path) => [path.split('.')[0] ?? path, { before: HIDDEN, after: HIDDEN }]),
  )
