import type { SettingsChange } from './change.ts'
import { slotOf } from './connectors.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { type ConfigSection, configSections, splitScopeKey } from './state.ts'

/**
 * Creations and changes in the order of the sections, then deletions in reverse order: the experience may need a new connector
 * and must release an old one before its deletion. Three exceptions: a deletion that blocks a creation comes just before it, a
 * change that releases a name comes before the one that takes it, and scopes are deleted with their resource.
 */
export function sortForExecution(changes: readonly SettingsChange[]): SettingsChange[] {
  const rank = ({ section }: SettingsChange) => configSections.indexOf(section)
  const made = withHoldersFirst(
    changes.filter(({ action }) => action !== 'delete').toSorted((a, b) => rank(a) - rank(b)),
  )
  const gone = changes
    .filter(({ action }) => action === 'delete')
    .filter((change) => !goesWithAnother(change, changes))
    .toSorted((a, b) => rank(b) - rank(a))

  const inTheWay = (change: SettingsChange) =>
    gone.filter((other) => other.section === change.section && isInTheWay(other, change))
  const early = new Set(made.flatMap(inTheWay))
  return [
    ...made.flatMap((change) => [...inTheWay(change), change]).filter(isFirst),
    ...gone.filter((change) => !early.has(change)),
  ]
}

/** Moves changes within one section only, so the order of the sections stays. */
const withHoldersFirst = (made: readonly SettingsChange[]): SettingsChange[] =>
  made.flatMap((change) => [...findNameHolders(change, made).toReversed(), change]).filter(isFirst)

/** The changes that must release a name before this one takes it, nearest first; a ring includes the change itself. */
export function findNameHolders(
  change: SettingsChange,
  changes: readonly SettingsChange[],
): SettingsChange[] {
  const holders: SettingsChange[] = []
  for (let next = holderOf(change, changes); next; next = holderOf(next, changes)) {
    if (holders.includes(next)) break
    holders.push(next)
  }
  return holders
}

const holderOf = (taking: SettingsChange, changes: readonly SettingsChange[]): SettingsChange | undefined =>
  changes.find((other) => {
    if (other.action !== 'change' || taking.action === 'delete' || other.section !== taking.section)
      return false
    const name = uniqueIn(taking.section, taking.after)
    return (
      other !== taking &&
      name !== undefined &&
      name === uniqueIn(other.section, other.before) &&
      name !== uniqueIn(other.section, other.after)
    )
  })

/** The changeable property that is unique in a section (spec/management#resources-api, spec/management#roles). */
function uniqueIn(section: ConfigSection, item: JsonObject): JsonValue | undefined {
  if (section === 'resources') return item.indicator
  return section === 'roles' ? item.name : undefined
}

const isFirst = <T>(item: T, index: number, all: readonly T[]) => all.indexOf(item) === index

function goesWithAnother({ section, id }: SettingsChange, changes: readonly SettingsChange[]): boolean {
  if (section !== 'scopes') return false
  const { resourceId } = splitScopeKey(id)
  return changes.some(
    (other) => other.action === 'delete' && other.section === 'resources' && other.id === resourceId,
  )
}

/** Whether the deleted object blocks the other by a unique property (spec/storage#uniqueness). */
function isInTheWay(gone: SettingsChange, made: SettingsChange): boolean {
  if (gone.action !== 'delete' || made.action === 'delete') return false
  if (gone.id === made.id) return true
  switch (made.section) {
    case 'resources':
    case 'roles':
      return uniqueIn(gone.section, gone.before) === uniqueIn(made.section, made.after)
    case 'connectors':
      // The slot is unique, but a new message connector replaces the other of its type on the server.
      return made.action === 'create' && slotOf(gone.before) === slotOf(made.after)
    case 'scopes':
    case 'phrases':
    case 'experience':
    case 'applications':
    case 'roleApplications':
    case 'hooks':
    case 'settings':
      return false
  }
}
