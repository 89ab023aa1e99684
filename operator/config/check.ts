import type { SignInExperience } from '../../src/contract/experience.ts'
import { isRefusal } from '../../src/contract/refused.ts'
import { changeProblem, creationProblem } from '../../src/domain/connector-rules.ts'
import { acceptExperience, type SettingsFacts } from '../../src/domain/experience-settings.ts'
import { hasWayIn } from '../../src/domain/tenant-sign-in-check.ts'
import { ownTarget, slotOf, texts } from './connectors.ts'
import { type Item, isObject } from './json.ts'
import { givenUpFor } from './order.ts'
import type { Change } from './plan.ts'
import type { Factory } from './secret-places.ts'
import { Missing, type Secrets, withKept } from './secrets.ts'
import { ONLY, placeOf, type State, splitScopeKey } from './state.ts'

export type CheckFacts = {
  /** The whole experience as it will be. */
  experience: SignInExperience
  /** What will be installed, and which languages there will be. */
  facts: SettingsFacts
  /** What may be offered without a connector; nobody is signed in by it (decision record 0040). */
  demoTargets: readonly string[]
  factories: readonly Factory[]
  /** The client this command signs in with. */
  clientId: string
  /** Scopes of the resources no file describes. */
  builtInScopes: readonly string[]
  secrets: Secrets
}

/** Why a plan must not be begun: everything that can be known before anything is changed. */
export function problemsOf(
  desired: Partial<State>,
  end: State,
  changes: readonly Change[],
  given: CheckFacts,
): string[] {
  return [
    ...danglingReferences(desired, end, given.builtInScopes),
    ...doubleConnectors(desired),
    ...brokenRules(changes, given.factories),
    ...exchangedNames(changes),
    ...ownGround(changes, given.clientId),
    ...missingSecrets(changes, given.secrets),
    ...(changes.some(
      ({ section }) => section === 'experience' || section === 'connectors' || section === 'phrases',
    )
      ? [...unknownTargets(desired, given), ...waysIn(given)]
      : []),
  ]
}

function danglingReferences(
  { roles = {}, roleApplications = {} }: Partial<State>,
  end: State,
  builtInScopes: readonly string[],
): string[] {
  const scopes = new Set([...Object.keys(end.scopes), ...builtInScopes])
  return [
    ...Object.entries(roles).flatMap(([id, role]) =>
      texts(role.scopes)
        .filter((key) => !scopes.has(key))
        .map((key) => {
          const { resourceId, name } = splitScopeKey(key)
          return `roles.${id}: the resource "${resourceId}" has no scope "${name}".`
        }),
    ),
    ...Object.entries(roleApplications).flatMap(([id, role]) =>
      texts(role.applications)
        .filter((application) => !Object.hasOwn(end.applications, application))
        .map((application) => `roles.${id}: there is no application "${application}".`),
    ),
  ]
}

function doubleConnectors({ connectors = {} }: Partial<State>): string[] {
  const bySlot = Object.groupBy(Object.entries(connectors), ([, connector]) => slotOf(connector))
  return Object.values(bySlot).flatMap((together = []) =>
    together.length > 1
      ? [`connectors: ${together.map(([id]) => id).join(' and ')} would take each other's place; keep one.`]
      : [],
  )
}

/** What the server would refuse of a connector by itself. */
function brokenRules(changes: readonly Change[], factories: readonly Factory[]): string[] {
  return changes.flatMap((change) => {
    if (change.section !== 'connectors' || change.action === 'delete') return []
    const { id, after } = change
    const factory = factories.find(({ id }) => id === after.connectorId)
    if (!factory) return []
    const given = { metadata: metadataOf(after), syncProfile: after.syncProfile === true }
    const problem =
      change.action === 'create'
        ? creationProblem(factory, given, [])
        : changeProblem({ id, factory, metadata: metadataOf(change.before), name: {} }, given)
    return problem ? [`connectors.${id} breaks the rule ${problem.code}.`] : []
  })
}

/** Each would have to go first: the server changes one at a time, and never lets two have the same. */
function exchangedNames(changes: readonly Change[]): string[] {
  const told = new Set<Change>()
  return changes.flatMap((change) => {
    const ring = givenUpFor(change, changes)
    if (!ring.includes(change) || told.has(change)) return []
    for (const other of ring) told.add(other)
    const what = change.section === 'resources' ? 'indicators' : 'names'
    return [
      `${change.section}: ${ring.map(({ id }) => id).join(' and ')} would exchange their ${what}. Give one of them another first, and apply that.`,
    ]
  })
}

const metadataOf = (connector: Item) => ({
  ...(isObject(connector.metadata) ? connector.metadata : {}),
  target: ownTarget(connector),
})

/** The server would leave out such a button in silence. */
const unknownTargets = (
  { experience }: Partial<State>,
  { facts: { connectors }, demoTargets }: CheckFacts,
): string[] =>
  texts(experience?.[ONLY]?.socialSignInConnectorTargets)
    .filter((target) => ![...connectors.targets, ...demoTargets].includes(target))
    .map((target) => `experience.socialSignInConnectorTargets: no connector has the target "${target}".`)

/** Nobody saws off the branch this command sits on. */
function ownGround(changes: readonly Change[], clientId: string): string[] {
  return changes.flatMap((change) => {
    if (change.section !== 'applications' || change.id !== clientId) return []
    if (change.action === 'delete')
      return [
        `applications: "${clientId}" is what this command signs in with; the file must not leave it out.`,
      ]
    return change.after.isAdmin === true
      ? []
      : [`applications.${clientId}: it is what this command signs in with, and needs isAdmin: true.`]
  })
}

function missingSecrets(changes: readonly Change[], secrets: Secrets): string[] {
  return changes.flatMap((change) => {
    if (change.action === 'delete') return []
    const before = change.action === 'change' ? change.before : {}
    const place = placeOf(change.section, change.id)
    return Object.keys(change.after).flatMap((key) => {
      // Only what is sent has to be complete.
      const isSent = change.action === 'create' || change.fields.some(({ path: [first] }) => first === key)
      const value = change.after[key]
      if (!isSent || value === undefined) return []
      const kept = withKept(value, before[key], [...place, key], secrets)
      return kept instanceof Missing ? [`${place.join('.')}: the variable ${kept.variable} is not set.`] : []
    })
  })
}

function waysIn({ experience, facts }: CheckFacts): string[] {
  if (!hasWayIn(experience, facts.connectors))
    return ['Nobody could sign in any more: no method of the experience has a factor that works.']
  const verdict = acceptExperience(experience, experience, facts)
  return isRefusal(verdict)
    ? [`experience: what it would be breaks the rule ${verdict.code} ${JSON.stringify(verdict.data ?? {})}.`]
    : []
}

/** What there will be when all of it is done. */
export function endOf(current: State, desired: Partial<State>): State {
  const end = { ...current, ...desired }
  return {
    ...end,
    experience: { [ONLY]: { ...current.experience[ONLY], ...desired.experience?.[ONLY] } },
    settings: { [ONLY]: { ...current.settings[ONLY], ...desired.settings?.[ONLY] } },
  }
}
