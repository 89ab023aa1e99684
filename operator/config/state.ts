import type { Config } from './file.schema.ts'
import type { Item } from './json.ts'

/**
 * A tenant as far as a settings file describes it: things by their ids, in sections of things that are created, changed
 * and deleted alike. Scopes, and which applications have a role, are sections of their own: other things lie between
 * them and what they belong to when they are carried out.
 */
export type State = Record<Section, Record<string, Item>>

/** In the order in which things can come to be: each needs only what stands before it. */
export const sections = [
  'resources',
  'scopes',
  'roles',
  'connectors',
  'phrases',
  'settings',
  'experience',
  'applications',
  'roleApplications',
  'hooks',
] as const
export type Section = (typeof sections)[number]

/** What there is one of has no id. */
export const ONLY = ''

/** `{resource id}/{name}`: an id has no slash, a name may. */
export const scopeKey = (resourceId: string, name: string) => `${resourceId}/${name}`
export function splitScopeKey(key: string): { resourceId: string; name: string } {
  const slash = key.indexOf('/')
  return { resourceId: key.slice(0, slash), name: key.slice(slash + 1) }
}

/** What a settings file wants, of the sections it has. */
export function wanted({
  experience,
  settings,
  connectors,
  resources,
  roles,
  applications,
  hooks,
  phrases,
}: Config): Partial<State> {
  return {
    ...(resources && {
      resources: mapped(resources, ({ scopes: _, ...resource }) => resource),
      scopes: Object.fromEntries(
        Object.entries(resources).flatMap(([id, { scopes }]) =>
          Object.entries(scopes).map(([name, description]) => [scopeKey(id, name), { description }]),
        ),
      ),
    }),
    ...(roles && {
      roles: mapped(roles, ({ applications: _, scopes, ...role }) => ({
        ...role,
        scopes: scopeKeys(scopes),
      })),
      roleApplications: mapped(roles, ({ applications }) => ({ applications: asSet(applications) })),
    }),
    // A configuration is any JSON object, and was read from one: its schema says `unknown` where JSON is meant.
    ...(connectors && { connectors: connectors as Record<string, Item> }),
    ...(phrases && { phrases }),
    ...(experience && { experience: { [ONLY]: experience } }),
    ...(applications && { applications }),
    ...(hooks && { hooks }),
    ...(settings && { settings: { [ONLY]: settings } }),
  }
}

const scopeKeys = (scopes: Record<string, string[]>) =>
  asSet(Object.entries(scopes).flatMap(([id, names]) => names.map((name) => scopeKey(id, name))))

/** Their order says nothing, and must not look like a change. */
export const asSet = (values: readonly string[]) => [...new Set(values)].toSorted()

export const mapped = <T, U>(
  record: Record<string, T>,
  to: (value: T, key: string) => U,
): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value, key)]))

/** Where a thing stands in the file: in words for people, and as a path for its secrets. */
export function placeOf(section: Section, id: string): string[] {
  switch (section) {
    case 'scopes': {
      const { resourceId, name } = splitScopeKey(id)
      return ['resources', resourceId, 'scopes', name]
    }
    case 'roleApplications':
      return ['roles', id]
    case 'experience':
    case 'settings':
      return [section]
    case 'resources':
    case 'roles':
    case 'connectors':
    case 'phrases':
    case 'applications':
    case 'hooks':
      return [section, id]
  }
}
