import { readSubscribedEvents } from '../../src/contract/hooks/hooks.ts'
import { OWNER_ROLE } from '../../src/contract/organisations/organizations.ts'
import type { SettingsFile } from './file.schema.ts'
import type { JsonObject } from './json.ts'

/**
 * The part of a tenant that a settings file describes: objects by id, grouped in sections. Scopes, and the
 * applications of roles, are sections of their own: they are created later than the resources and roles they belong
 * to, because objects of other sections have to be created in between.
 */
export type ConfigState = Record<ConfigSection, Record<string, JsonObject>>

/** The sections in the order in which they are created. Each depends only on earlier ones. */
export const configSections = [
  'resources',
  'scopes',
  'organizationScopes',
  'roles',
  'organizationRoles',
  'connectors',
  'phrases',
  'settings',
  'experience',
  'applications',
  'roleApplications',
  'hooks',
] as const
export type ConfigSection = (typeof configSections)[number]

/** The id of the experience and of the settings. Each of these exists once per tenant. */
export const SINGLETON_ID = ''

/** Returns the key of a scope, `{resource id}/{name}`. Ids contain no slash, but names may. */
export const scopeKey = (resourceId: string, name: string) => `${resourceId}/${name}`
export function splitScopeKey(key: string): { resourceId: string; name: string } {
  const slash = key.indexOf('/')
  return { resourceId: key.slice(0, slash), name: key.slice(slash + 1) }
}

/** Returns the key of an organisation scope among the ids of all scopes. No resource has an empty id. */
export const organizationScopeKey = (name: string) => scopeKey('', name)

/** Returns the state that a settings file describes, limited to the sections in the file. */
export function toDesiredState({
  experience,
  settings,
  connectors,
  resources,
  roles,
  applications,
  hooks,
  phrases,
  organizationScopes,
  organizationRoles,
}: SettingsFile): Partial<ConfigState> {
  return {
    ...(resources && {
      resources: mapValues(resources, ({ scopes: _, claims, ...resource }) => ({
        ...resource,
        claims: claims as JsonObject | null,
      })),
      scopes: Object.fromEntries(
        Object.entries(resources).flatMap(([id, { scopes }]) =>
          Object.entries(scopes).map(([name, description]) => [scopeKey(id, name), { description }]),
        ),
      ),
    }),
    ...(roles && {
      roles: mapValues(roles, ({ applications: _, scopes, ...role }) => ({
        ...role,
        scopes: scopeKeys(scopes),
      })),
      roleApplications: mapValues(roles, ({ applications }) => ({ applications: sortUnique(applications) })),
    }),
    ...(organizationScopes && {
      organizationScopes: mapValues(organizationScopes, (description) => ({ description })),
    }),
    ...(organizationRoles && {
      organizationRoles: mapValues(organizationRoles, (role, id) => toOrganizationRole(id, role)),
    }),
    // A configuration and claims can be any JSON object, so their schemas type the values as `unknown`.
    ...(connectors && { connectors: connectors as Record<string, JsonObject> }),
    ...(phrases && { phrases }),
    ...(experience && { experience: { [SINGLETON_ID]: experience } }),
    ...(applications && {
      applications: mapValues(applications, ({ claims, ...application }) => ({
        ...application,
        claims: claims as JsonObject | null,
      })),
    }),
    ...(hooks && {
      hooks: mapValues(hooks, ({ config, ...named }) => ({
        events: [...(readSubscribedEvents(named) ?? [])],
        config,
      })),
    }),
    ...(settings && { settings: { [SINGLETON_ID]: settings } }),
  }
}

/** Returns an organisation role of a file. Of the role of owners, only the scopes can be changed. */
function toOrganizationRole(
  id: string,
  { name, description, permissions, scopes, resourceScopes }: OrganizationRole,
): JsonObject {
  const links = { scopes: sortUnique(scopes), resourceScopes: scopeKeys(resourceScopes) }
  return id === OWNER_ROLE.id
    ? links
    : { name, description: description ?? null, permissions: sortUnique(permissions ?? []), ...links }
}

type OrganizationRole = NonNullable<SettingsFile['organizationRoles']>[string]

const scopeKeys = (scopes: Record<string, string[]>) =>
  sortUnique(Object.entries(scopes).flatMap(([id, names]) => names.map((name) => scopeKey(id, name))))

/** Removes duplicates and sorts the values. Their order has no meaning, so it must not count as a change. */
export const sortUnique = (values: readonly string[]) => [...new Set(values)].toSorted()

export const mapValues = <T, U>(
  record: Record<string, T>,
  convert: (value: T, key: string) => U,
): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, convert(value, key)]))

/** Returns the path of an object in the file. Messages show this path, and the object's secrets are found by it. */
export function pathInFile(section: ConfigSection, id: string): string[] {
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
    case 'organizationScopes':
    case 'organizationRoles':
      return [section, id]
  }
}
