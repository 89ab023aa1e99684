import type { CurrentState } from './current.ts'
import { type Item, isObject, type Json, type Path } from './json.ts'
import { secretPlaces } from './secret-places.ts'
import { suggestedVariable } from './secrets.ts'
import { mapValues, ONLY, splitScopeKey } from './state.ts'

/** The state of a deployment as a settings file; applying it changes nothing. */
export function describeAsConfig({ state, factories }: Pick<CurrentState, 'state' | 'factories'>): {
  config: Item
  variables: string[]
} {
  const variables: string[] = []
  const isSecret = secretPlaces(factories, state)
  const referenced = (value: Json, place: Path): Json => withReferences(value, place, isSecret, variables)

  const scopesOf = (resourceId: string): Item =>
    Object.fromEntries(
      Object.entries(state.scopes).flatMap(([key, { description = '' }]) => {
        const scope = splitScopeKey(key)
        return scope.resourceId === resourceId ? [[scope.name, description]] : []
      }),
    )

  const config = {
    experience: state.experience[ONLY] ?? {},
    settings: referenced(withWithheldSecret(state.settings[ONLY] ?? {}), ['settings']),
    connectors: mapValues(state.connectors, (connector, id) =>
      referenced(withoutEmpty(connector), ['connectors', id]),
    ),
    resources: mapValues(state.resources, (resource, id) =>
      withoutEmpty({ ...resource, scopes: scopesOf(id) }),
    ),
    roles: mapValues(state.roles, ({ scopes, ...role }, id) => ({
      // The description is required and may be empty.
      ...role,
      ...withoutEmpty({
        scopes: byResource(scopes),
        applications: state.roleApplications[id]?.applications ?? [],
      }),
    })),
    // The server generates their secrets.
    applications: mapValues(state.applications, ({ secret: _, ...application }) => withoutEmpty(application)),
    hooks: mapValues(state.hooks, (hook, id) => referenced(withoutEmpty(hook), ['hooks', id])),
    phrases: state.phrases,
  }
  return { config, variables }
}

/** Without values that equal the default. */
const withoutEmpty = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => !isEmpty(value)))

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0)

function byResource(keys: Json | undefined): Item {
  const scopes: Record<string, string[]> = {}
  for (const key of Array.isArray(keys) ? keys : []) {
    const { resourceId, name } = splitScopeKey(String(key))
    scopes[resourceId] = [...(scopes[resourceId] ?? []), name]
  }
  return scopes
}

/** The server does not answer the secret of the storage provider; the file has a place for it, so that it can be applied elsewhere. */
function withWithheldSecret(settings: Item): Item {
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

function withReferences(
  value: Json,
  place: Path,
  isSecret: (path: Path) => boolean,
  variables: string[],
): Json {
  if (typeof value === 'string') {
    if (!isSecret(place)) return value
    const variable = unique(suggestedVariable(place), variables)
    variables.push(variable)
    return { env: variable }
  }
  if (Array.isArray(value))
    return value.map((item: Json, index) =>
      withReferences(item, [...place, String(index)], isSecret, variables),
    )
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      item === undefined ? undefined : withReferences(item, [...place, key], isSecret, variables),
    ]),
  )
}

function unique(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}_${number}`
    if (!taken.includes(candidate)) return candidate
  }
}
