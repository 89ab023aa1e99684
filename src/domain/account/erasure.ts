/** The names and ids that identify a deleted user (spec/storage#erasure). */
export type ErasedNames = {
  id: string
  /** Values that nobody else has: username, addresses, identities. */
  unique: readonly string[]
  /** Former unique values that no other account has now. */
  former?: readonly string[]
  /** Addresses that the user entered but never proved; they may belong to somebody else. */
  asked?: readonly string[]
  /** Values that others may share: names. */
  shared: readonly string[]
}

/** Returns all values that belonged only to the user. */
export const uniqueNames = ({
  unique,
  former = [],
}: Pick<ErasedNames, 'unique' | 'former'>): readonly string[] => [...new Set([...unique, ...former])]

/** Removes the values that also belong to others. */
export function excludeNames(names: ErasedNames, valuesOfOthers: readonly string[]): ErasedNames {
  const withoutShared = (values: readonly string[] = []) =>
    values.filter((value) => !valuesOfOthers.includes(value))
  return {
    ...names,
    unique: withoutShared(names.unique),
    former: withoutShared(names.former),
    asked: withoutShared(names.asked),
  }
}

const ERASED = '******'
/**
 * Checks whether a name is also searched for within longer texts, like addresses, phone numbers and ids. Short names
 * are compared as a whole.
 */
const isDistinctive = (name: string) => name.includes('@') || /^\d{6,}$/.test(name) || name.length >= 12

/** Removes what an audit row caused by others reveals about the user. */
export function eraseNames(payload: Record<string, unknown>, names: ErasedNames): Record<string, unknown> {
  const whole = new Set([names.id, ...uniqueNames(names), ...names.shared].map((name) => name.toLowerCase()))
  const parts = [names.id, ...uniqueNames(names)].filter(isDistinctive).map(inAnyCase)
  const erase = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (whole.has(value.toLowerCase())) return ERASED
      return parts.reduce((text, part) => text.replace(part, ERASED), value)
    }
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(erase)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, erase(item)]))
  }
  const { key, result, ...facts } = payload
  const { json, ...others } = facts
  // The message to a hook contains more about the user than names.
  const isAbout = JSON.stringify(json ?? null).includes(JSON.stringify(names.id))
  return {
    key,
    result,
    ...(erase(isAbout ? others : facts) as Record<string, unknown>),
    ...(isAbout && { isErased: true }),
  }
}

const inAnyCase = (name: string) => new RegExp(name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), 'gi')
