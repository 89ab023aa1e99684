import { builtInLanguages } from '../../src/contract/languages.ts'
import { isStartingRole } from './built-in.ts'
import { isAnother, putBack } from './connectors.ts'
import { type Item, isObject, type Json, leaves, type Path, pointer } from './json.ts'
import { ordered } from './order.ts'
import { type Secrets, secretsWithin } from './secrets.ts'
import { ONLY, placeOf, type Section, type State, sections } from './state.ts'

/** One thing that is to be created, changed or deleted. */
export type Change =
  | { action: 'create'; section: Section; id: string; after: Item; fields: Field[] }
  | { action: 'change'; section: Section; id: string; before: Item; after: Item; fields: Field[] }
  | { action: 'delete'; section: Section; id: string; before: Item; fields: Field[] }

/** `before` and `after` of what is secret are never in it. */
export type Field = { path: Path; before?: Shown; after?: Shown }
export type Shown = { value: Json } | { secret: string | null }

export type PlanOptions = {
  secrets: Secrets
  /** Whether this place holds a secret on the server, whatever the file says. */
  isSecret(path: Path): boolean
  /** Whether the server has something at this place that it does not tell; `told` is what it says instead. */
  isWithheld(path: Path, told: Json | undefined): boolean
  /** Send secrets that the server does not tell again. */
  updateSecrets: boolean
}

/** What has to be done, in the order in which it can be done. A section the file does not have is left alone. */
export function plan(stored: State, wanted: Partial<State>, options: PlanOptions): Change[] {
  const { current, desired } = putBack(stored, wanted)
  return ordered(
    sections.flatMap((section) => {
      const after = section === 'phrases' ? phrasesOf(current, desired) : desired[section]
      if (!after) return []
      const before = current[section]
      const ids = [...new Set([...Object.keys(after), ...Object.keys(before)])]
      return ids.flatMap((id) => changesOf(section, id, before[id], after[id], options))
    }),
  )
}

/**
 * The phrases of the language visitors fall back to cannot be deleted (contract 7.2), only emptied. Whether there is
 * such a language at all when they are gone is `check.ts`'s to say.
 */
function phrasesOf(current: State, desired: Partial<State>): Record<string, Item> | undefined {
  const { languageInfo } = { ...current.experience[ONLY], ...desired.experience?.[ONLY] }
  const fallback = isObject(languageInfo) ? String(languageInfo.fallbackLanguage) : ''
  const isKept = builtInLanguages.some((language) => language === fallback) && current.phrases[fallback]
  return desired.phrases && isKept ? { [fallback]: {}, ...desired.phrases } : desired.phrases
}

function changesOf(
  section: Section,
  id: string,
  before: Item | undefined,
  after: Item | undefined,
  options: PlanOptions,
): Change[] {
  const place = placeOf(section, id)
  // Which applications have a role is a fact about the role: it comes and goes with it.
  if (section === 'roleApplications' && !after) return []
  if (section === 'roles' && !after && isStartingRole(id)) return []
  if (!after) return before ? [deletion(section, id, before, options)] : []
  if (!before && section !== 'roleApplications')
    return [{ action: 'create', section, id, after, fields: differences({}, after, place, options) }]
  if (before && section === 'connectors' && isAnother(before, after))
    return [
      deletion(section, id, before, options),
      { action: 'create', section, id, after, fields: differences({}, after, place, options) },
    ]

  const stored = before ?? {}
  // Of what there is one of, columns that are left out are left alone.
  const compared =
    id === ONLY ? picked(stored, Object.keys(after)) : without(stored, unmanaged(section, after))
  const fields = differences(compared, after, place, options)
  return fields.length === 0 ? [] : [{ action: 'change', section, id, before: stored, after, fields }]
}

const deletion = (section: Section, id: string, before: Item, options: PlanOptions): Change => ({
  action: 'delete',
  section,
  id,
  before,
  fields: differences(before, {}, placeOf(section, id), options),
})

/** The server makes up the secret of an application whose file names none. */
const unmanaged = (section: Section, after: Item) =>
  section === 'applications' && after.secret === undefined ? ['secret'] : []

const picked = (item: Item, keys: readonly string[]): Item =>
  Object.fromEntries(keys.map((key) => [key, item[key]]))
const without = (item: Item, keys: readonly string[]): Item =>
  Object.fromEntries(Object.entries(item).filter(([key]) => !keys.includes(key)))

function differences(before: Item, after: Item, place: Path, options: PlanOptions): Field[] {
  const old = byPointer(leaves(before))
  const isWithheld = (path: Path) => options.isWithheld([...place, ...path], old.get(pointer(path))?.value)
  const now = byPointer(leaves(after, isWithheld))
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const was = old.get(key)
    const is = now.get(key)
    const path = (was ?? is)?.path ?? []
    const full = [...place, ...path]
    const isKept =
      is && is.value !== '' && isWithheld(path)
        ? keepsWithheld(full, options)
        : keeps(full, was?.value, is?.value, options.secrets)
    if (isKept) return []
    // More than one in a list of them, which is one value.
    const variables = secretsWithin(options.secrets, full).map(({ variable }) => variable)
    const hidden = variables.length > 0 || options.isSecret(full)
    return [
      {
        path,
        ...(was && { before: hidden ? { secret: null } : { value: was.value } }),
        ...(is && { after: hidden ? { secret: variables.join(', ') || null } : { value: is.value } }),
      },
    ]
  })
}

const byPointer = <T extends { path: Path }>(found: readonly T[]) =>
  new Map(found.map((leaf) => [pointer(leaf.path), leaf]))

/** What the server does not tell cannot be compared: it is sent when that is asked for (decision record 0018). */
const keepsWithheld = (path: Path, { secrets, updateSecrets }: PlanOptions): boolean =>
  !updateSecrets || secretsWithin(secrets, path).some(({ value }) => value === undefined)

/** A variable that is not set changes nothing, also as one of a list. */
function keeps(path: Path, stored: Json | undefined, wanted: Json | undefined, secrets: Secrets): boolean {
  const secret = secrets.get(pointer(path))
  if (secret) return secret.value === undefined ? stored !== undefined : stored === secret.value
  if (!Array.isArray(wanted) || !Array.isArray(stored)) return same(stored, wanted)
  return (
    stored.length === wanted.length &&
    wanted.every((item: Json, index) => keeps([...path, String(index)], stored[index], item, secrets))
  )
}

const same = (a: Json | undefined, b: Json | undefined) => JSON.stringify(a) === JSON.stringify(b)
