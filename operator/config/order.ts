import type { SettingsChange } from './change.ts'
import { getConnectorSlot } from './connectors.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { type ConfigSection, configSections, splitScopeKey } from './state.ts'

/**
 * Sorts the changes of a plan: creations and updates in the order of the sections, then deletions in reverse order,
 * because the experience may need a new connector, and must stop using an old one before the old one is deleted.
 * There are three exceptions: a deletion that blocks a creation comes just before it, a change that releases a name
 * comes before the change that takes it, and scopes are deleted with their resource.
 */
export function sortForExecution(changes: readonly SettingsChange[]): SettingsChange[] {
  const rank = ({ section }: SettingsChange) => configSections.indexOf(section)
  const upserts = releaseNamesFirst(
    changes.filter(({ action }) => action !== 'delete').toSorted((a, b) => rank(a) - rank(b)),
  )
  const deletions = changes
    .filter(({ action }) => action === 'delete')
    .filter((change) => !isDeletedWithResource(change, changes))
    .toSorted((a, b) => rank(b) - rank(a))

  const blockersOf = (change: SettingsChange) =>
    deletions.filter((other) => other.section === change.section && blocks(other, change))
  const earlyDeletions = new Set(upserts.flatMap(blockersOf))
  return [
    ...upserts.flatMap((change) => [...blockersOf(change), change]).filter(isFirst),
    ...deletions.filter((change) => !earlyDeletions.has(change)),
  ]
}

/**
 * Moves changes so that names are released before they are taken. No change leaves its section, so the order of the
 * sections is kept.
 */
const releaseNamesFirst = (upserts: readonly SettingsChange[]): SettingsChange[] =>
  upserts.flatMap((change) => [...findNameReleases(change, upserts).toReversed(), change]).filter(isFirst)

/**
 * Returns the changes that must release a name before this change can take it, nearest first. If names are swapped in
 * a cycle, the result includes the change itself.
 */
export function findNameReleases(
  change: SettingsChange,
  changes: readonly SettingsChange[],
): SettingsChange[] {
  const holders: SettingsChange[] = []
  for (let next = findNameRelease(change, changes); next; next = findNameRelease(next, changes)) {
    if (holders.includes(next)) break
    holders.push(next)
  }
  return holders
}

const findNameRelease = (
  taking: SettingsChange,
  changes: readonly SettingsChange[],
): SettingsChange | undefined =>
  changes.find((other) => {
    if (other.action !== 'change' || taking.action === 'delete' || other.section !== taking.section)
      return false
    const name = uniqueProperty(taking.section, taking.after)
    return (
      other !== taking &&
      name !== undefined &&
      name === uniqueProperty(other.section, other.before) &&
      name !== uniqueProperty(other.section, other.after)
    )
  })

/**
 * Returns the property of a section's objects that is unique but can be changed (spec/management#resources-api,
 * spec/management#roles, spec/organisations#template).
 */
function uniqueProperty(section: ConfigSection, item: JsonObject): JsonValue | undefined {
  if (section === 'resources') return item.indicator
  return section === 'roles' || section === 'organizationRoles' ? item.name : undefined
}

const isFirst = <T>(item: T, index: number, all: readonly T[]) => all.indexOf(item) === index

function isDeletedWithResource({ section, id }: SettingsChange, changes: readonly SettingsChange[]): boolean {
  if (section !== 'scopes') return false
  const { resourceId } = splitScopeKey(id)
  return changes.some(
    (other) => other.action === 'delete' && other.section === 'resources' && other.id === resourceId,
  )
}

/**
 * Checks whether an object that will be deleted blocks another one because of a unique property
 * (spec/storage#uniqueness).
 */
function blocks(deletion: SettingsChange, change: SettingsChange): boolean {
  if (deletion.action !== 'delete' || change.action === 'delete') return false
  if (deletion.id === change.id) return true
  switch (change.section) {
    case 'resources':
    case 'roles':
    case 'organizationRoles':
      return (
        uniqueProperty(deletion.section, deletion.before) === uniqueProperty(change.section, change.after)
      )
    case 'connectors':
      // A slot is unique too, but message connectors never block each other: on the server, a new one replaces the
      // previous one of its type.
      return (
        change.action === 'create' && getConnectorSlot(deletion.before) === getConnectorSlot(change.after)
      )
    case 'scopes':
    case 'organizationScopes':
    case 'phrases':
    case 'experience':
    case 'applications':
    case 'roleApplications':
    case 'hooks':
    case 'settings':
      return false
  }
}
