import { builtInLanguages } from '../../src/contract/experience/languages.ts'
import { OWNER_ROLE } from '../../src/contract/organisations/organizations.ts'
import { isDefaultRole, isTenantApplication } from './built-in.ts'
import type { ChangedField, SettingsChange } from './change.ts'
import { needsReplacement, restoreTargets } from './connectors.ts'
import { isObject, type JsonObject, type JsonPath, type JsonValue, jsonPointer, leafValues } from './json.ts'
import { sortForExecution } from './order.ts'
import { findSecretsWithin, type Secrets } from './secrets.ts'
import { type ConfigSection, type ConfigState, configSections, pathInFile, SINGLETON_ID } from './state.ts'

type PlanOptions = {
  secrets: Secrets
  /** Returns whether the server stores a secret at this path. */
  isSecret(path: JsonPath): boolean
  /**
   * Returns whether the server withholds the value at this path. `answered` is the value that the server returns in
   * its place.
   */
  isWithheld(path: JsonPath, answered: JsonValue | undefined): boolean
  /** If true, the plan sends the secrets that the server does not return. */
  updateSecrets: boolean
  /** The client that makes the changes, if there is one. It is not deleted if the file leaves it out. */
  clientId?: string
}

/**
 * Plans the changes from the stored state to the desired one, in an order in which they can be made. Sections that are
 * missing from the desired state are not changed.
 */
export function planChanges(
  stored: ConfigState,
  target: Partial<ConfigState>,
  options: PlanOptions,
): SettingsChange[] {
  const { current, desired } = restoreTargets(stored, target)
  return sortForExecution(
    configSections.flatMap((section) => {
      const after = section === 'phrases' ? phrasesOf(current, desired) : desired[section]
      if (!after) return []
      const before = current[section]
      const ids = [...new Set([...Object.keys(after), ...Object.keys(before)])]
      return ids.flatMap((id) => changesOf(section, id, before[id], after[id], options))
    }),
  )
}

/**
 * Returns the desired phrases. The phrases of the fallback language cannot be deleted, only emptied
 * (spec/errors#localization). `check.ts` checks that the fallback language exists after the plan.
 */
function phrasesOf(
  current: ConfigState,
  desired: Partial<ConfigState>,
): Record<string, JsonObject> | undefined {
  const { languageInfo } = { ...current.experience[SINGLETON_ID], ...desired.experience?.[SINGLETON_ID] }
  const fallback = isObject(languageInfo) ? String(languageInfo.fallbackLanguage) : ''
  const isKept = builtInLanguages.some((language) => language === fallback) && current.phrases[fallback]
  return desired.phrases && isKept ? { [fallback]: {}, ...desired.phrases } : desired.phrases
}

function changesOf(
  section: ConfigSection,
  id: string,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  options: PlanOptions,
): SettingsChange[] {
  const place = pathInFile(section, id)
  // The applications of a role are created and deleted with the role.
  if (section === 'roleApplications' && !after) return []
  if (section === 'roles' && !after && isDefaultRole(id)) return []
  if (section === 'organizationRoles' && !after && id === OWNER_ROLE.id) return []
  if (section === 'applications' && !after && (id === options.clientId || isTenantApplication(before)))
    return []
  if (!after) return before ? [deletion(section, id, before, options)] : []
  if (!before && section !== 'roleApplications')
    return [{ action: 'create', section, id, after, fields: differences({}, after, place, options) }]
  if (before && section === 'connectors' && needsReplacement(before, after))
    return [
      deletion(section, id, before, options),
      { action: 'create', section, id, after, fields: differences({}, after, place, options) },
    ]

  const stored = before ?? {}
  // In the experience and the settings, missing columns are not changed.
  const compared =
    id === SINGLETON_ID ? pick(stored, Object.keys(after)) : without(stored, unmanaged(section, after))
  const fields = differences(compared, after, place, options)
  return fields.length === 0 ? [] : [{ action: 'change', section, id, before: stored, after, fields }]
}

const deletion = (
  section: ConfigSection,
  id: string,
  before: JsonObject,
  options: PlanOptions,
): SettingsChange => ({
  action: 'delete',
  section,
  id,
  before,
  fields: differences(before, {}, pathInFile(section, id), options),
})

/**
 * Returns the columns that the file does not manage. If an application has no secret in the file, the server generates
 * one, so the plan ignores the secret.
 */
const unmanaged = (section: ConfigSection, after: JsonObject) =>
  section === 'applications' && after.secret === undefined ? ['secret'] : []

const pick = (item: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(keys.map((key) => [key, item[key]]))
const without = (item: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(item).filter(([key]) => !keys.includes(key)))

function differences(
  before: JsonObject,
  after: JsonObject,
  place: JsonPath,
  options: PlanOptions,
): ChangedField[] {
  // A variable may contain an object as JSON, such as the login of an SMTP server.
  const isVariable = (path: JsonPath) => options.secrets.has(jsonPointer([...place, ...path]))
  const oldLeaves = byPointer(leafValues(before, isVariable))
  const isWithheld = (path: JsonPath) =>
    options.isWithheld([...place, ...path], oldLeaves.get(jsonPointer(path))?.value)
  const newLeaves = byPointer(leafValues(after, isWithheld))
  return [...new Set([...oldLeaves.keys(), ...newLeaves.keys()])].flatMap((key) => {
    const oldLeaf = oldLeaves.get(key)
    const newLeaf = newLeaves.get(key)
    const path = (oldLeaf ?? newLeaf)?.path ?? []
    const full = [...place, ...path]
    const isKept =
      newLeaf && newLeaf.value !== '' && isWithheld(path)
        ? keepsWithheldSecret(full, options)
        : isUnchanged(full, oldLeaf?.value, newLeaf?.value, options.secrets)
    if (isKept) return []
    // A list is a single value, but it may contain several secrets.
    const variables = findSecretsWithin(options.secrets, full).map(({ variable }) => variable)
    const isHidden = variables.length > 0 || options.isSecret(full)
    return [
      {
        path,
        ...(oldLeaf && { before: isHidden ? { secret: null } : { value: oldLeaf.value } }),
        ...(newLeaf && {
          after: isHidden ? { secret: variables.join(', ') || null } : { value: newLeaf.value },
        }),
      },
    ]
  })
}

const byPointer = <T extends { path: JsonPath }>(leaves: readonly T[]) =>
  new Map(leaves.map((leaf) => [jsonPointer(leaf.path), leaf]))

/**
 * Checks whether a secret that the server does not return is kept. It cannot be compared, so it is only sent with
 * `--update-secrets` (ADR-0018).
 */
const keepsWithheldSecret = (path: JsonPath, { secrets, updateSecrets }: PlanOptions): boolean =>
  !updateSecrets || findSecretsWithin(secrets, path).some(({ value }) => value === undefined)

/**
 * Checks whether two values are equal. A secret whose variable is not set equals any stored value, even inside a list.
 */
function isUnchanged(
  path: JsonPath,
  stored: JsonValue | undefined,
  target: JsonValue | undefined,
  secrets: Secrets,
): boolean {
  const secret = secrets.get(jsonPointer(path))
  if (secret) return secret.value === undefined ? stored !== undefined : stored === secret.value
  if (!Array.isArray(target) || !Array.isArray(stored)) return isEqual(stored, target)
  return (
    stored.length === target.length &&
    target.every((item: JsonValue, index) =>
      isUnchanged([...path, String(index)], stored[index], item, secrets),
    )
  )
}

const isEqual = (a: JsonValue | undefined, b: JsonValue | undefined) =>
  JSON.stringify(a) === JSON.stringify(b)
