import type { SignInExperience } from '../../src/contract/experience/experience.ts'
import { isRefusal } from '../../src/contract/refused.ts'
import {
  findConnectorChangeProblem,
  findConnectorCreationProblem,
} from '../../src/domain/connectors/connector-rules.ts'
import { checkExperiencePatch, type SettingsFacts } from '../../src/domain/experience/experience-settings.ts'
import { allowsSignIn } from '../../src/domain/tenants/tenant-sign-in-check.ts'
import { isBuiltInResource } from './built-in.ts'
import type { SettingsChange } from './change.ts'
import { getConnectorSlot, getCustomTarget } from './connectors.ts'
import { isObject, type JsonObject, stringItems } from './json.ts'
import { findNameReleases } from './order.ts'
import { findBlockedPictures } from './pictures.ts'
import type { FactoryForm } from './secret-places.ts'
import { MissingSecret, type Secrets, withStoredSecrets } from './secrets.ts'
import { type ConfigState, pathInFile, SINGLETON_ID, splitScopeKey } from './state.ts'

export type CheckFacts = {
  /** The complete sign-in experience after the plan is applied. */
  experience: SignInExperience
  /** The connectors and languages after the plan is applied. */
  facts: SettingsFacts
  /** The targets that may be offered on the sign-in page without a connector (ADR-0040). */
  demoTargets: readonly string[]
  factories: readonly FactoryForm[]
  /** The origin of the deployment. */
  origin: string
  /** The client as which this command authenticates. */
  clientId: string
  /** The scopes of the built-in resources. */
  builtInScopes: readonly string[]
  secrets: Secrets
  /** False if the server is of a version that has no organisations. */
  hasOrganizations: boolean
}

/** Returns the reasons to reject a plan before any change is made. */
export function findPlanProblems(
  desired: Partial<ConfigState>,
  end: ConfigState,
  changes: readonly SettingsChange[],
  checks: CheckFacts,
): string[] {
  return [
    ...danglingReferences(desired, end, checks.builtInScopes),
    ...templateProblems(desired, end),
    ...(checks.hasOrganizations ? [] : unsupportedSections(changes)),
    ...connectorCollisions(desired),
    ...connectorRuleProblems(changes, checks.factories),
    ...nameExchanges(changes),
    ...ownClientProblems(changes, checks.clientId),
    ...missingRedirectUris(changes),
    ...findBlockedPictures(changes, checks.origin),
    ...missingSecrets(changes, checks.secrets),
    ...(changes.some(
      ({ section }) => section === 'experience' || section === 'connectors' || section === 'phrases',
    )
      ? [...unknownTargets(desired, checks), ...signInProblems(checks)]
      : []),
  ]
}

function danglingReferences(
  { roles = {}, roleApplications = {} }: Partial<ConfigState>,
  end: ConfigState,
  builtInScopes: readonly string[],
): string[] {
  const scopes = new Set([...Object.keys(end.scopes), ...builtInScopes])
  return [
    ...Object.entries(roles).flatMap(([id, role]) =>
      stringItems(role.scopes)
        .filter((key) => !scopes.has(key))
        .map((key) => {
          const { resourceId, name } = splitScopeKey(key)
          return `roles.${id}: the resource "${resourceId}" has no scope "${name}".`
        }),
    ),
    ...Object.entries(roleApplications).flatMap(([id, role]) =>
      stringItems(role.applications)
        .filter((application) => !Object.hasOwn(end.applications, application))
        .map((application) => `roles.${id}: there is no application "${application}".`),
    ),
  ]
}

/** Finds scopes of organisation roles that do not exist, or that such roles cannot include. */
const templateProblems = ({ organizationRoles = {} }: Partial<ConfigState>, end: ConfigState): string[] =>
  Object.entries(organizationRoles).flatMap(([id, role]) => [
    ...stringItems(role.scopes)
      .filter((name) => !Object.hasOwn(end.organizationScopes, name))
      .map((name) => `organizationRoles.${id}: there is no organization scope "${name}".`),
    ...stringItems(role.resourceScopes)
      .filter((key) => !Object.hasOwn(end.scopes, key))
      .map((key) => {
        const { resourceId, name } = splitScopeKey(key)
        return isBuiltInResource(resourceId)
          ? `organizationRoles.${id}: organization roles can't include scopes of the built-in resource "${resourceId}".`
          : `organizationRoles.${id}: the resource "${resourceId}" has no scope "${name}".`
      }),
  ])

/** Finds changes that a server without organisations cannot make. */
const unsupportedSections = (changes: readonly SettingsChange[]): string[] =>
  [...new Set(changes.map(({ section }) => section))]
    .filter((section) => section === 'organizationScopes' || section === 'organizationRoles')
    .map(
      (section) => `${section}: this deployment has an older version without organizations. Update it first.`,
    )

function connectorCollisions({ connectors = {} }: Partial<ConfigState>): string[] {
  const bySlot = Object.groupBy(Object.entries(connectors), ([, connector]) => getConnectorSlot(connector))
  return Object.values(bySlot).flatMap((connectorsOfSlot = []) =>
    connectorsOfSlot.length > 1
      ? [
          `connectors: ${connectorsOfSlot.map(([id]) => id).join(' and ')} would replace each other; keep one.`,
        ]
      : [],
  )
}

/** Checks the rules that the server would enforce for individual connectors. */
function connectorRuleProblems(
  changes: readonly SettingsChange[],
  factories: readonly FactoryForm[],
): string[] {
  return changes.flatMap((change) => {
    if (change.section !== 'connectors' || change.action === 'delete') return []
    const { id, after } = change
    const factory = factories.find(({ id }) => id === after.connectorId)
    if (!factory) return []
    const connector = { metadata: metadataOf(after), syncProfile: after.syncProfile === true }
    const problem =
      change.action === 'create'
        ? findConnectorCreationProblem(factory, connector, [])
        : findConnectorChangeProblem(
            { id, factory, metadata: metadataOf(change.before), name: {} },
            connector,
          )
    return problem ? [`connectors.${id} breaks the rule ${problem.code}.`] : []
  })
}

/**
 * Finds objects that swap their names. The server changes one object at a time and never accepts duplicate names, so
 * no order of changes works.
 */
function nameExchanges(changes: readonly SettingsChange[]): string[] {
  const reported = new Set<SettingsChange>()
  return changes.flatMap((change) => {
    const ring = findNameReleases(change, changes)
    if (!ring.includes(change) || reported.has(change)) return []
    for (const other of ring) reported.add(other)
    const [one, many] = change.section === 'resources' ? ['indicator', 'indicators'] : ['name', 'names']
    return [
      `${change.section}: ${ring.map(({ id }) => id).join(' and ')} would exchange their ${many}. Give one of them a temporary ${one} first, and apply that.`,
    ]
  })
}

const metadataOf = (connector: JsonObject) => ({
  ...(isObject(connector.metadata) ? connector.metadata : {}),
  target: getCustomTarget(connector),
})

const unknownTargets = (
  { experience }: Partial<ConfigState>,
  { facts: { connectors }, demoTargets }: CheckFacts,
): string[] =>
  stringItems(experience?.[SINGLETON_ID]?.socialSignInConnectorTargets)
    .filter((target) => ![...connectors.targets, ...demoTargets].includes(target))
    .map((target) => `experience.socialSignInConnectorTargets: no connector has the target "${target}".`)

/** Finds applications that sign users in but have no redirect URI. */
function missingRedirectUris(changes: readonly SettingsChange[]): string[] {
  return changes.flatMap((change) => {
    if (change.section !== 'applications' || change.action === 'delete') return []
    const { type, oidcClientMetadata } = change.after
    const isChecked =
      change.action === 'create' ||
      change.fields.some(({ path: [key, name] }) => key === 'type' || name === 'redirectUris')
    const hasRedirectUri =
      isObject(oidcClientMetadata) && stringItems(oidcClientMetadata.redirectUris).length > 0
    return isChecked && type !== 'MachineToMachine' && !hasRedirectUri
      ? [`applications.${change.id}: an application of the type ${type} needs a redirect URI.`]
      : []
  })
}

/** Checks that this command's own client keeps its access. */
function ownClientProblems(changes: readonly SettingsChange[], clientId: string): string[] {
  return changes.flatMap((change) => {
    if (change.section !== 'applications' || change.id !== clientId || change.action === 'delete') return []
    return change.after.isAdmin === true
      ? []
      : [`applications.${clientId}: this is the client of this command, so it needs isAdmin: true.`]
  })
}

function missingSecrets(changes: readonly SettingsChange[], secrets: Secrets): string[] {
  return changes.flatMap((change) => {
    if (change.action === 'delete') return []
    const before = change.action === 'change' ? change.before : {}
    const place = pathInFile(change.section, change.id)
    return Object.keys(change.after).flatMap((key) => {
      // A secret may be missing from a value that is not sent.
      const isSent = change.action === 'create' || change.fields.some(({ path: [first] }) => first === key)
      const value = change.after[key]
      if (!isSent || value === undefined) return []
      const sent = withStoredSecrets(value, before[key], [...place, key], secrets)
      return sent instanceof MissingSecret
        ? [`${place.join('.')}: the variable ${sent.variable} isn't set.`]
        : []
    })
  })
}

/**
 * Checks whether users could still sign in. It ignores the social targets, because the server removes a target
 * together with its last connector.
 */
function signInProblems({ experience, facts }: CheckFacts): string[] {
  if (!allowsSignIn(experience, facts.connectors))
    return ['No user could sign in anymore: no sign-in method of the experience has a factor that works.']
  const { socialSignInConnectorTargets: _, branding: __, layout: ___, ...checked } = experience
  const result = checkExperiencePatch(checked, experience, facts)
  return isRefusal(result)
    ? [`experience: the planned state breaks the rule ${result.code} ${JSON.stringify(result.data ?? {})}.`]
    : []
}

/** Returns the state after the plan is applied. */
export function computeResultingState(current: ConfigState, desired: Partial<ConfigState>): ConfigState {
  const end = { ...current, ...desired }
  return {
    ...end,
    experience: {
      [SINGLETON_ID]: { ...current.experience[SINGLETON_ID], ...desired.experience?.[SINGLETON_ID] },
    },
    settings: { [SINGLETON_ID]: { ...current.settings[SINGLETON_ID], ...desired.settings?.[SINGLETON_ID] } },
  }
}
