import { diffFields, invertChanges, isObject, isSame } from './changes.ts'

/** Changes of several people of the same entity (spec/console#conflicts). Objects are compared key by key, lists as wholes. */

type Fields = Readonly<Record<string, unknown>>

/** What was there when changes were made, and what is there now. */
type Versions = { base: Fields; theirs: Fields }

/** A place that both changed, to different values. */
export type Conflict = { keys: readonly string[]; mine: unknown; theirs: unknown }

/**
 * The places that somebody else changed meanwhile to another value than these changes (`branding`, `name`). `merged`: fields of which
 * these have the keys that were changed.
 */
export const findConflicts = (
  changes: Fields,
  { base, theirs }: Versions,
  merged: readonly string[] = [],
): Conflict[] =>
  Object.entries(changes).flatMap(([name, mine]) =>
    conflictsAt(
      [name],
      mine,
      base[name],
      merged.includes(name) ? emptyIfNull(theirs[name], mine) : theirs[name],
    ),
  )

/** A merged field that is null has no keys: it is no other value of the keys that are changed here. */
const emptyIfNull = (theirs: unknown, mine: unknown): unknown => (isObject(mine) ? (theirs ?? {}) : theirs)

function conflictsAt(keys: readonly string[], mine: unknown, base: unknown, theirs: unknown): Conflict[] {
  if (isSame(mine, base) || isSame(theirs, base) || isSame(mine, theirs)) return []
  if (!isObject(mine) || !isObject(base) || !isObject(theirs)) return [{ keys, mine, theirs }]
  return allKeys(mine, base).flatMap((key) => conflictsAt([...keys, key], mine[key], base[key], theirs[key]))
}

/** These changes after one value was chosen at such places: a place clashes no more. */
export function resolveConflicts(
  changes: Fields,
  base: Fields,
  { conflicts, whose }: { conflicts: readonly Conflict[]; whose: 'mine' | 'theirs' },
): { changes: Fields; base: Fields } {
  const withTheirs = (fields: Fields) =>
    conflicts.reduce((before, { keys, theirs }) => setValue(before, keys, theirs), fields)
  return whose === 'mine' ? { changes, base: withTheirs(base) } : { changes: withTheirs(changes), base }
}

function setValue(fields: Fields, [key = '', ...inner]: readonly string[], value: unknown): Fields {
  const old = fields[key]
  return { ...fields, [key]: inner.length === 0 ? value : setValue(isObject(old) ? old : {}, inner, value) }
}

/** These changes as changes of what is there now: what others changed stays, but for what is changed here as well. */
export function rebaseChanges(changes: Fields, { base, theirs }: Versions, merged: readonly string[]) {
  const entries = Object.entries(changes).map(([name, mine]) => {
    const now = merged.includes(name) ? emptyIfNull(theirs[name], mine) : theirs[name]
    return [name, mergeValue(mine, base[name], now)]
  })
  const next = diffFields(theirs, Object.fromEntries(entries), merged)
  return { changes: next, base: invertChanges<Fields>(theirs, next, merged) }
}

/** Of a merged field, `mine` and `base` have the keys that were changed and no others, null for one that is removed. */
function mergeValue(mine: unknown, base: unknown, theirs: unknown): unknown {
  if (isSame(mine, base)) return theirs
  if (!isObject(mine) || !isObject(base) || !isObject(theirs)) return mine
  const entries = allKeys(theirs, mine).map((key) => [key, mergeValue(mine[key], base[key], theirs[key])])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const allKeys = (...objects: readonly Fields[]): string[] => [...new Set(objects.flatMap(Object.keys))]
