import { slotOf } from './connectors.ts'
import type { Item, Json } from './json.ts'
import type { Change } from './plan.ts'
import { type Section, sections, splitScopeKey } from './state.ts'

/**
 * What is created and changed comes in the order of the sections, what is deleted afterwards and backwards: the
 * experience may need a connector that comes, and must stop needing one before it goes. Three exceptions: a deletion that
 * makes room for something new comes just before it, a change that gives up a name comes before what takes it, and scopes go
 * with their resource.
 */
export function ordered(changes: readonly Change[]): Change[] {
  const rank = ({ section }: Change) => sections.indexOf(section)
  const made = freeingFirst(
    changes.filter(({ action }) => action !== 'delete').toSorted((a, b) => rank(a) - rank(b)),
  )
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

/** Of one section alone, so the order of the sections stays. */
const freeingFirst = (made: readonly Change[]): Change[] =>
  made.flatMap((change) => [...givenUpFor(change, made).toReversed(), change]).filter(isFirst)

/** What has to give up its name before this can have it, the nearest first; in a ring it ends with what this gives up itself. */
export function givenUpFor(change: Change, changes: readonly Change[]): Change[] {
  const found: Change[] = []
  for (let next = holderOf(change, changes); next; next = holderOf(next, changes)) {
    if (found.includes(next)) break
    found.push(next)
  }
  return found
}

const holderOf = (taking: Change, changes: readonly Change[]): Change | undefined =>
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

/** What the server allows once in a section beside the id, and can be changed (contract 8.2). */
export function uniqueIn(section: Section, item: Item): Json | undefined {
  if (section === 'resources') return item.indicator
  return section === 'roles' ? item.name : undefined
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
    case 'roles':
      return uniqueIn(gone.section, gone.before) === uniqueIn(made.section, made.after)
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
