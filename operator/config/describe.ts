import type { CurrentState } from './current-state.ts'
import { isObject, type JsonObject, type JsonPath, type JsonValue } from './json.ts'
import { secretVariableName } from './secret-names.ts'
import { createSecretPathTest } from './secret-places.ts'
import { mapValues, SINGLETON_ID, splitScopeKey } from './state.ts'

/** Describes the state of a deployment as a settings file. Applying that file would change nothing. */
export function describeAsConfig({ state, factories }: Pick<CurrentState, 'state' | 'factories'>): {
  config: JsonObject
  variables: string[]
} {
  const variables: string[] = []
  const isSecret = createSecretPathTest(factories, state)
  const nameOf = (place: JsonPath) => secretVariableName(place, { state, factories })
  const withVariables = (value: JsonValue, place: JsonPath): JsonValue =>
    withReferences(value, place, { isSecret, nameOf, variables })

  const scopesOf = (resourceId: string): JsonObject =>
    Object.fromEntries(
      Object.entries(state.scopes).flatMap(([key, { description = '' }]) => {
        const scope = splitScopeKey(key)
        return scope.resourceId === resourceId ? [[scope.name, description]] : []
      }),
    )

  const config = {
    experience: state.experience[SINGLETON_ID] ?? {},
    settings: withVariables(withWithheldSecret(state.settings[SINGLETON_ID] ?? {}), ['settings']),
    connectors: mapValues(state.connectors, (connector, id) =>
      withVariables(withoutEmpty(connector), ['connectors', id]),
    ),
    resources: mapValues(state.resources, (resource, id) =>
      withoutEmpty({ ...resource, scopes: scopesOf(id) }),
    ),
    roles: mapValues(state.roles, ({ scopes, secondFactorPolicy, rememberDays, ...role }, id) => ({
      // The description is required, but may be empty.
      ...role,
      ...withoutEmpty({
        secondFactorPolicy,
        rememberDays,
        scopes: byResource(scopes),
        applications: state.roleApplications[id]?.applications ?? [],
      }),
    })),
    // The server generates the secrets of applications.
    applications: mapValues(state.applications, ({ secret: _, ...application }) => withoutEmpty(application)),
    hooks: mapValues(state.hooks, (hook, id) => withVariables(withoutEmpty(hook), ['hooks', id])),
    phrases: state.phrases,
    organizationScopes: mapValues(state.organizationScopes, ({ description }) => description ?? ''),
    organizationRoles: organizationRolesOf(state),
  }
  return { config, variables }
}

/** Describes the organisation roles. The role of owners appears only if it has scopes. */
const organizationRolesOf = ({ organizationRoles }: CurrentState['state']): JsonObject =>
  Object.fromEntries(
    Object.entries(organizationRoles).flatMap(([id, { resourceScopes, ...role }]) => {
      const described = withoutEmpty({ ...role, resourceScopes: byResource(resourceScopes) })
      return isEmpty(described) ? [] : [[id, described]]
    }),
  )

/** Removes the values that equal their defaults. */
const withoutEmpty = (item: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => !isEmpty(value)))

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0)

function byResource(keys: JsonValue | undefined): JsonObject {
  const scopes: Record<string, string[]> = {}
  for (const key of Array.isArray(keys) ? keys : []) {
    const { resourceId, name } = splitScopeKey(String(key))
    scopes[resourceId] = [...(scopes[resourceId] ?? []), name]
  }
  return scopes
}

/**
 * Adds a reference for the secret of the storage provider, so that the file can be applied elsewhere. The server does
 * not return that secret.
 */
function withWithheldSecret(settings: JsonObject): JsonObject {
  const { storageProvider } = settings
  if (!isObject(storageProvider)) return settings
  switch (storageProvider.provider) {
    case 'S3Storage':
      return { ...settings, storageProvider: { ...storageProvider, accessSecretKey: '' } }
    case 'AzureStorage':
      return { ...settings, storageProvider: { ...storageProvider, connectionString: '' } }
    default:
      return settings
  }
}

type Secrets = {
  isSecret(path: JsonPath): boolean
  nameOf(path: JsonPath): string
  /** The names of the variables that are already in use. */
  variables: string[]
}

function withReferences(value: JsonValue, place: JsonPath, secrets: Secrets): JsonValue {
  const { isSecret, nameOf, variables } = secrets
  if (typeof value === 'string') {
    if (!isSecret(place)) return value
    const variable = unique(nameOf(place), variables)
    variables.push(variable)
    return { env: variable }
  }
  if (Array.isArray(value))
    return value.map((item: JsonValue, index) => withReferences(item, [...place, String(index)], secrets))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      item === undefined ? undefined : withReferences(item, [...place, key], secrets),
    ]),
  )
}

function unique(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}_${number}`
    if (!taken.includes(candidate)) return candidate
  }
}
