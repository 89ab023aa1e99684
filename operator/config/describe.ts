import type { Current } from './current.ts'
import { type Item, isObject, type Json, type Path } from './json.ts'
import { secretPlaces } from './secret-places.ts'
import { suggestedVariable } from './secrets.ts'
import { mapped, ONLY, splitScopeKey } from './state.ts'

/** A deployment as a settings file: applying it changes nothing. */
export function describe({ state, factories }: Pick<Current, 'state' | 'factories'>): {
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
    settings: referenced(withWithheld(state.settings[ONLY] ?? {}), ['settings']),
    connectors: mapped(state.connectors, (connector, id) => referenced(short(connector), ['connectors', id])),
    resources: mapped(state.resources, (resource, id) => short({ ...resource, scopes: scopesOf(id) })),
    roles: mapped(state.roles, ({ scopes, ...role }, id) => ({
      // It may be empty, and is required.
      ...role,
      ...short({ scopes: byResource(scopes), applications: state.roleApplications[id]?.applications ?? [] }),
    })),
    // Their secrets are made where they are created.
    applications: mapped(state.applications, ({ secret: _, ...application }) => short(application)),
    hooks: mapped(state.hooks, (hook, id) => referenced(short(hook), ['hooks', id])),
    phrases: state.phrases,
  }
  return { config, variables }
}

/** Without what it is by itself. */
const short = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => !isNothing(value)))

const isNothing = (value: Json | undefined): boolean =>
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

/** The one secret the server does not tell stands in the file all the same: without it nobody could apply it elsewhere. */
function withWithheld(settings: Item): Item {
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
