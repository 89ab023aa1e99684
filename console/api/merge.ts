import { diffFields, invertChanges, isDeepEqual, isObject } from './changes.ts'

/**
 * Merges changes that several people make to the same entity (spec/console#conflicts). Objects are compared key by
 * key, lists as a whole.
 */

type Fields = Readonly<Record<string, unknown>>

/** The entity as it was when the changes were made, and the current entity. */
type Versions = { base: Fields; theirs: Fields }

/** A place that both people have changed to different values. */
export type Conflict = { keys: readonly string[]; mine: unknown; theirs: unknown }

/**
 * Finds the places (such as `branding` or `name`) that someone else has changed in the meantime to values other than
 * those in `changes`. `merged` lists the fields for which `changes` has only the changed keys.
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

/** A merged field that is null has no keys, so it can't conflict with the changed keys. */
const emptyIfNull = (theirs: unknown, mine: unknown): unknown => (isObject(mine) ? (theirs ?? {}) : theirs)

function conflictsAt(keys: readonly string[], mine: unknown, base: unknown, theirs: unknown): Conflict[] {
  if (isDeepEqual(mine, base) || isDeepEqual(theirs, base) || isDeepEqual(mine, theirs)) return []
  if (!isObject(mine) || !isObject(base) || !isObject(theirs)) return [{ keys, mine, theirs }]
  return allKeys(mine, base).flatMap((key) => conflictsAt([...keys, key], mine[key], base[key], theirs[key]))
}

/**
 * Resolves conflicts by choosing one side at these places. Returns the changes and the base without those conflicts.
 */
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

/**
 * Rebases the changes onto the current entity. Other people's changes are kept unless these changes touch the same
 * place.
 */
export function rebaseChanges(changes: Fields, { base, theirs }: Versions, merged: readonly string[]) {
  const entries = Object.entries(changes).map(([name, mine]) => {
    const now = merged.includes(name) ? emptyIfNull(theirs[name], mine) : theirs[name]
    return [name, mergeValue(mine, base[name], now)]
  })
  const next = diffFields(theirs, Object.fromEntries(entries), merged)
  return { changes: next, base: invertChanges<Fields>(theirs, next, merged) }
}

/** For a merged field, `mine` and `base` have only the changed keys, with null for a removed key. */
function mergeValue(mine: unknown, base: unknown, theirs: unknown): unknown {
  if (isDeepEqual(mine, base)) return theirs
  if (!isObject(mine) || !isObject(base) || !isObject(theirs)) return mine
  const entries = allKeys(theirs, mine).map((key) => [key, mergeValue(mine[key], base[key], theirs[key])])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const allKeys = (...objects: readonly Fields[]): string[] => [...new Set(objects.flatMap(Object.keys))]
