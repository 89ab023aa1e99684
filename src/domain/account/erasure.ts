import { isRecord } from '../../contract/is-record.ts'
import { inAnyCase } from '../masking.ts'

/** The names and ids that identify a deleted user (spec/storage#erasure). */
export type ErasedNames = {
  id: string
  /** Values that no other user has: the username, addresses and identities. */
  unique: readonly string[]
  /** Former usernames, addresses and identities that no other account uses now. */
  former?: readonly string[]
  /** The email address of the user, if the user had verified it. Missing in erasures that began earlier. */
  verified?: readonly string[]
  /** Addresses that the user entered but never verified. They may belong to somebody else. */
  asked?: readonly string[]
  /** Personal names, which other users may have as well. */
  shared: readonly string[]
}

/** Returns all current and former values that only this user had. */
export const uniqueNames = ({
  unique,
  former = [],
}: Pick<ErasedNames, 'unique' | 'former'>): readonly string[] => [...new Set([...unique, ...former])]

/** Leaves out the values that other users have as well. */
export function excludeNames(names: ErasedNames, valuesOfOthers: readonly string[]): ErasedNames {
  const withoutShared = (values: readonly string[] = []) =>
    values.filter((value) => !valuesOfOthers.includes(value))
  return {
    ...names,
    unique: withoutShared(names.unique),
    former: withoutShared(names.former),
    verified: withoutShared(names.verified),
    asked: withoutShared(names.asked),
  }
}

const ERASED = '******'
/**
 * Checks whether a value, like an address, a phone number or an id, is distinctive enough to be erased within longer
 * strings as well. Short values are erased only if they are the whole text.
 */
const isDistinctive = (name: string) => name.includes('@') || /^\d{6,}$/.test(name) || name.length >= 12

/**
 * The fields by which entries are found: what happened, and the ids of those who took part. A user may choose a name
 * that occurs in them, for example another user's id, which must not hide the entries of others.
 */
const FACTS = ['key', 'keys', 'result']
const IDS = ['actor', 'applicationId', 'interactionId', 'requestId', 'sessionId', 'userId']

/** Removes the user's names and ids from the payload of an audit row about someone else's action, and from its steps. */
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
  const eraseId = (value: unknown): unknown => {
    if (isRecord(value))
      return Object.fromEntries(Object.entries(value).map(([name, id]) => [name, eraseId(id)]))
    return value === names.id ? ERASED : value
  }
  const eraseEntry = (entry: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(entry).map(([name, item]) => {
        if (FACTS.includes(name)) return [name, item]
        if (IDS.includes(name)) return [name, eraseId(item)]
        const isSteps = name === 'steps' && Array.isArray(item)
        return [name, isSteps ? item.map((step) => (isRecord(step) ? eraseEntry(step) : step)) : erase(item)]
      }),
    )
  const { json, ...others } = payload
  // A hook message about the user contains more than names, so it is removed completely.
  const isAbout = JSON.stringify(json ?? null).includes(JSON.stringify(names.id))
  return { ...eraseEntry(isAbout ? others : payload), ...(isAbout && { isErased: true }) }
}
