import { beforeOf, changesOf, isObject, isSame } from './changes.ts'

/** Changes of several people of the same entity (spec/console#conflicts). Objects are compared key by key, lists as wholes. */

type Fields = Readonly<Record<string, unknown>>

/** What was there when changes were made, and what is there now. */
type Meanwhile = { base: Fields; theirs: Fields }

/** A place that both changed, to different values. */
export type Clash = { keys: readonly string[]; mine: unknown; theirs: unknown }

/**
 * The places that somebody else changed meanwhile to another value than these changes (`branding`, `name`). `merged`: fields of which
 * these have the keys that were changed.
 */
export const clashesOf = (
  changes: Fields,
  { base, theirs }: Meanwhile,
  merged: readonly string[] = [],
): Clash[] =>
  Object.entries(changes).flatMap(([name, mine]) =>
    clashesAt([name], mine, base[name], merged.includes(name) ? withKeys(theirs[name], mine) : theirs[name]),
  )

/** A merged field that is null has no keys: it is no other value of the keys that are changed here. */
const withKeys = (theirs: unknown, mine: unknown): unknown => (isObject(mine) ? (theirs ?? {}) : theirs)

function clashesAt(keys: readonly string[], mine: unknown, base: unknown, theirs: unknown): Clash[] {
  if (isSame(mine, base) || isSame(theirs, base) || isSame(mine, theirs)) return []
  if (!isObject(mine) || !isObject(base) || !isObject(theirs)) return [{ keys, mine, theirs }]
  return namesOf(mine, base).flatMap((key) => clashesAt([...keys, key], mine[key], base[key], theirs[key]))
}

/** These changes after one value was chosen at such places: a place clashes no more. */
export function settled(
  changes: Fields,
  base: Fields,
  { clashes, whose }: { clashes: readonly Clash[]; whose: 'mine' | 'theirs' },
): { changes: Fields; base: Fields } {
  const withTheirs = (fields: Fields) =>
    clashes.reduce((before, { keys, theirs }) => withValue(before, keys, theirs), fields)
  return whose === 'mine' ? { changes, base: withTheirs(base) } : { changes: withTheirs(changes), base }
}

function withValue(fields: Fields, [key = '', ...inner]: readonly string[], value: unknown): Fields {
  const old = fields[key]
  return { ...fields, [key]: inner.length === 0 ? value : withValue(isObject(old) ? old : {}, inner, value) }
}

/** These changes as changes of what is there now: what others changed stays, but for what is changed here as well. */
export function rebased(changes: Fields, { base, theirs }: Meanwhile, merged: readonly string[]) {
  const entries = Object.entries(changes).map(([name, mine]) => {
    const now = merged.includes(name) ? withKeys(theirs[name], mine) : theirs[name]
    return [name, onTop(mine, base[name], now)]
  })
  const next = changesOf(theirs, Object.fromEntries(entries), merged)
  return { changes: next, base: beforeOf<Fields>(theirs, next, merged) }
}

/** Of a merged field, `mine` and `base` have the keys that were changed and no others, null for one that is removed. */
function onTop(mine: unknown, base: unknown, theirs: unknown): unknown {
  if (isSame(mine, base)) return theirs
  if (!isObject(mine) || !isObject(base) || !isObject(theirs)) return mine
  const entries = namesOf(theirs, mine).map((key) => [key, onTop(mine[key], base[key], theirs[key])])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const namesOf = (...objects: readonly Fields[]): string[] => [...new Set(objects.flatMap(Object.keys))]
