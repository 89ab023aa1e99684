/**
 * Computes which fields of an entity a form has changed. `merged` lists the fields that a PATCH merges key by key,
 * where null removes a key (RFC 7396).
 */

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns the body of the PATCH: the fields that differ from the stored ones. A merged field contains only the keys
 * that differ.
 */
export function diffFields(stored: Fields, next: Fields, merged: readonly string[]): Record<string, unknown> {
  const parts = Object.entries(next).map(([name, value]): [string, unknown] =>
    merged.includes(name) && isObject(value)
      ? [name, diffKeys(isObject(stored[name]) ? stored[name] : {}, value)]
      : [name, value],
  )
  return Object.fromEntries(
    parts.filter(([name, value]) =>
      merged.includes(name) && isObject(value)
        ? Object.keys(value).length > 0
        : !isDeepEqual(stored[name], value),
    ),
  )
}

/** Returns the PATCH that undoes the changes. Fields that were absent become null. */
export function invertChanges<T extends Fields>(
  stored: T,
  changes: Fields,
  merged: readonly string[],
): Partial<T> {
  const before = Object.entries(changes).map(([name, value]): [string, unknown] => {
    const old = stored[name]
    return merged.includes(name) && isObject(value)
      ? [name, pick(isObject(old) ? old : {}, Object.keys(value))]
      : [name, old ?? null]
  })
  return Object.fromEntries(before) as Partial<T>
}

/** Applies the changes to the fields. Merged fields are changed key by key. */
export const applyChanges = <T extends Fields>(fields: T, changes: Fields, merged: readonly string[]): T => ({
  ...fields,
  ...changes,
  ...Object.fromEntries(
    merged
      .filter((name) => isObject(changes[name]))
      .map((name) => [name, { ...(fields[name] ?? {}), ...(changes[name] ?? {}) }]),
  ),
})

/**
 * Removes the fields at these paths (`name`, or `name.key` of an object at any depth). Returns the remaining fields,
 * and the paths that were present. An object that becomes empty is removed, too.
 */
export function omitPaths(
  fields: Fields,
  paths: readonly string[],
  prefix = '',
): { rest: Record<string, unknown>; removed: string[] } {
  const removed: string[] = []
  const rest: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    const path = prefix + name
    const inner = isObject(value) && omitPaths(value, paths, `${path}.`)
    if (paths.includes(path)) removed.push(path)
    else if (inner && inner.removed.length > 0) {
      removed.push(...inner.removed)
      if (Object.keys(inner.rest).length > 0) rest[name] = inner.rest
    } else rest[name] = value
  }
  return { rest, removed }
}

const diffKeys = (stored: Fields, next: Fields) =>
  Object.fromEntries(Object.entries(next).filter(([key, value]) => !isDeepEqual(stored[key], value)))

const pick = (from: Fields, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, from[name] ?? null]))

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Compares two JSON values, ignoring the order of keys. An absent value equals null. */
export function isDeepEqual(first: unknown, second: unknown): boolean {
  if (isObject(first) && isObject(second)) {
    const [names, secondNames] = [definedKeys(first), definedKeys(second)]
    return (
      names.length === secondNames.length &&
      names.every((name) => name in second && isDeepEqual(first[name], second[name]))
    )
  }
  if (Array.isArray(first) && Array.isArray(second))
    return first.length === second.length && first.every((item, at) => isDeepEqual(item, second[at]))
  return JSON.stringify(first ?? null) === JSON.stringify(second ?? null)
}

const definedKeys = (value: Fields) => Object.keys(value).filter((name) => value[name] !== undefined)
