/** What says who a deleted user was (spec/storage#erasure). */
export type ErasedNames = {
  id: string
  /** Nobody else has them: username, addresses, identities. */
  unique: readonly string[]
  /** The same of before, that no other account has now. */
  former?: readonly string[]
  /** Addresses that the user wanted and never proved: they may be a stranger's. */
  asked?: readonly string[]
  /** Others may have them: names. */
  shared: readonly string[]
}

/** What was the user's alone. */
export const ownNames = ({
  unique,
  former = [],
}: Pick<ErasedNames, 'unique' | 'former'>): readonly string[] => [...new Set([...unique, ...former])]

/** Without those that are also another's. */
export function exceptNames(names: ErasedNames, others: readonly string[]): ErasedNames {
  const rest = (values: readonly string[] = []) => values.filter((value) => !others.includes(value))
  return { ...names, unique: rest(names.unique), former: rest(names.former), asked: rest(names.asked) }
}

const ERASED = '******'
/** Found within longer texts, too: an address, a phone number, an id. A short one is compared as a whole. */
const isDistinctive = (name: string) => name.includes('@') || /^\d{6,}$/.test(name) || name.length >= 12

/** A row of the audit log that others caused, without what it says of the user. */
export function withoutNames(payload: Record<string, unknown>, names: ErasedNames): Record<string, unknown> {
  const whole = new Set([names.id, ...ownNames(names), ...names.shared].map((name) => name.toLowerCase()))
  const parts = [names.id, ...ownNames(names)].filter(isDistinctive).map(inAnyCase)
  const erased = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (whole.has(value.toLowerCase())) return ERASED
      return parts.reduce((text, part) => text.replace(part, ERASED), value)
    }
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(erased)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, erased(item)]))
  }
  const { key, result, ...facts } = payload
  const { json, ...others } = facts
  // What a hook was told of the user: more than names.
  const isAbout = JSON.stringify(json ?? null).includes(JSON.stringify(names.id))
  return {
    key,
    result,
    ...(erased(isAbout ? others : facts) as Record<string, unknown>),
    ...(isAbout && { isErased: true }),
  }
}

const inAnyCase = (name: string) => new RegExp(name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), 'gi')
