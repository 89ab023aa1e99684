import { slotOf } from './connectors.ts'
import type { Change } from './plan.ts'
import { sections, splitScopeKey } from './state.ts'

/**
 * What is created and changed comes in the order of the sections, what is deleted afterwards and backwards: the
 * experience may need a connector that comes, and must stop needing one before it goes. Two exceptions: a deletion that
 * makes room for something new comes just before it, and scopes go with their resource.
 */
export function ordered(changes: readonly Change[]): Change[] {
  const rank = ({ section }: Change) => sections.indexOf(section)
  const made = changes.filter(({ action }) => action !== 'delete').toSorted((a, b) => rank(a) - rank(b))
  const gone = changes
    .filter(({ action }) => action === 'delete')
    .filter((change) => !goesWithAnother(change, changes))
    .toSorted((a, b) => rank(b) - rank(a))

  const inTheWay = (change: Change) =>
    gone.filter((other) => other.section === change.section && collide(other, change))
  const early = new Set(made.flatMap(inTheWay))
  return [
    ...made.flatMap((change) => [...inTheWay(change), change]).filter(isFirst),
    ...gone.filter((change) => !early.has(change)),
  ]
}

const isFirst = <T>(item: T, index: number, all: readonly T[]) => all.indexOf(item) === index

function goesWithAnother({ section, id }: Change, changes: readonly Change[]): boolean {
  if (section !== 'scopes') return false
  const { resourceId } = splitScopeKey(id)
  return changes.some(
    (other) => other.action === 'delete' && other.section === 'resources' && other.id === resourceId,
  )
}

/** What the server allows once in a section beside the id (contract 8.2). */
function collide(gone: Change, made: Change): boolean {
  if (gone.action !== 'delete' || made.action === 'delete') return false
  if (gone.id === made.id) return true
  switch (made.section) {
    case 'resources':
      return gone.before.indicator === made.after.indicator
    case 'roles':
      return gone.before.name === made.after.name
    case 'connectors':
      // One of a kind; and the server itself lets a new one for messages replace the other of its type.
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
