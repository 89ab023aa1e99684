import type { z } from 'zod'
import type { ResourceWithScopes } from '../../src/contract/access/resources.schema.ts'
import type { RoleSchema, RoleScope } from '../../src/contract/access/roles.schema.ts'
import type { ApplicationSchema } from '../../src/contract/applications/applications.schema.ts'
import type { ConnectorSchema } from '../../src/contract/connectors/connectors.schema.ts'
import type { CustomPhrasesSchema } from '../../src/contract/experience/custom-phrases.schema.ts'
import type { SignInExperienceSchema } from '../../src/contract/experience/experience.schema.ts'
import type { HookSchema } from '../../src/contract/hooks/hooks.schema.ts'
import { OWNER_ROLE } from '../../src/contract/organisations/organizations.ts'
import type {
  OrganizationResourceScope,
  OrganizationRoleSchema,
  OrganizationScopeSchema,
} from '../../src/contract/organisations/template.schema.ts'
import type { TenantSettingsResponse } from '../../src/contract/tenants/settings.schema.ts'
import { isBuiltInResource } from './built-in.ts'
import type { JsonObject } from './json.ts'
import type { FactoryForm } from './secret-places.ts'
import { type ConfigState, organizationScopeKey, SINGLETON_ID, scopeKey, sortUnique } from './state.ts'

type Application = z.output<typeof ApplicationSchema>
type Scope = z.output<typeof RoleScope>
type OrganizationScope = z.output<typeof OrganizationScopeSchema>

/** The responses of the management API, by the kind of data that is requested. */
export type ApiResponses = {
  experience: z.output<typeof SignInExperienceSchema>
  settings: z.output<typeof TenantSettingsResponse>
  connectors: z.output<typeof ConnectorSchema>[]
  factories: FactoryForm[]
  phrases: z.output<typeof CustomPhrasesSchema>[]
  resources: z.output<typeof ResourceWithScopes>[]
  roles: z.output<typeof RoleSchema>[]
  scopes: Scope[]
  applications: Application[]
  hooks: z.output<typeof HookSchema>[]
  organizationScopes: OrganizationScope[]
  organizationRoles: z.output<typeof OrganizationRoleSchema>[]
  resourceScopes: z.output<typeof OrganizationResourceScope>[]
}

type ApiState = Omit<ApiResponses, 'scopes' | 'resourceScopes'> & {
  /** The scopes of each role and the applications that have the role. */
  links: { id: string; scopes: Scope[]; applications: Application[] }[]
  /** The applications that have the administrator role. */
  admins: Application[]
  /** The scopes of each organisation role. */
  organizationLinks: {
    id: string
    scopes: OrganizationScope[]
    resourceScopes: ApiResponses['resourceScopes']
  }[]
}

/** The state of a tenant. */
export type TenantState = {
  state: ConfigState
  /** The ids of scopes by key. They are needed because the API refers to scopes by id. */
  scopeIds: Map<string, string>
  /** The scopes of the built-in resources. */
  builtInScopes: string[]
  /**
   * The connector factories. They declare which fields of a connector are secret, and whether the connector may have a
   * target of its own.
   */
  factories: FactoryForm[]
}

/** Converts API responses to the objects of a settings file. */
export function toConfigState(responses: ApiState): TenantState {
  const { experience, settings, connectors, phrases, resources, roles, links, hooks } = responses
  const { tenantId: _tenant, id: _id, ...experienceColumns } = experience
  const scopes = resources.flatMap(({ id: resourceId, scopes = [] }) =>
    scopes.map((scope) => ({ ...scope, resourceId, key: scopeKey(resourceId, scope.name) })),
  )
  const scopesOf = (roleId: string) => links.find(({ id }) => id === roleId)?.scopes ?? []
  const isAdmin = (id: string) => responses.admins.some((admin) => admin.id === id)
  // The responses were parsed from JSON, so the casts of configurations and claims are safe.
  return {
    state: {
      resources: byId(
        resources.filter(({ id }) => !isBuiltInResource(id)),
        ({ claims, ...resource }) => ({
          ...pick(resource, ['name', 'indicator', 'accessTokenTtl']),
          claims: claims as JsonObject | null,
        }),
      ),
      scopes: Object.fromEntries(
        scopes
          .filter(({ resourceId }) => !isBuiltInResource(resourceId))
          .map(({ key, description }) => [key, { description: description ?? '' }]),
      ),
      roles: byId(roles, (role) => ({
        ...pick(role, ['name', 'description', 'secondFactorPolicy', 'rememberDays']),
        scopes: sortUnique(scopesOf(role.id).map((scope) => scopeKey(scope.resourceId, scope.name))),
      })),
      roleApplications: byId(links, ({ applications }) => ({
        applications: sortUnique(applications.map(({ id }) => id)),
      })),
      // Demo connectors are included in the settings.
      connectors: byId(
        connectors.filter(({ isDemo }) => !isDemo),
        ({ connectorId, config, metadata, syncProfile }) => ({
          connectorId,
          config: config as JsonObject,
          metadata,
          syncProfile,
        }),
      ),
      phrases: Object.fromEntries(
        phrases.map(({ languageTag, translation }) => [languageTag, translation as JsonObject]),
      ),
      experience: { [SINGLETON_ID]: experienceColumns },
      // Applications that registered themselves are not part of the settings.
      applications: byId(
        responses.applications.filter(
          ({ customClientMetadata }) => !customClientMetadata.dynamicRegistration,
        ),
        ({ claims, ...application }) => ({
          ...pick(application, applicationColumns),
          claims: claims as JsonObject | null,
          isAdmin: isAdmin(application.id),
        }),
      ),
      organizationScopes: Object.fromEntries(
        responses.organizationScopes.map(({ name, description }) => [name, { description }]),
      ),
      organizationRoles: organizationRolesOf(responses),
      hooks: byId(hooks, (hook) => pick(hook, ['events', 'config'])),
      settings: { [SINGLETON_ID]: settings },
    },
    scopeIds: new Map([
      ...scopes.map(({ key, id }) => [key, id] as const),
      ...responses.organizationScopes.map(({ name, id }) => [organizationScopeKey(name), id] as const),
    ]),
    builtInScopes: scopes.filter(({ resourceId }) => isBuiltInResource(resourceId)).map(({ key }) => key),
    factories: responses.factories,
  }
}

/** Returns the organisation roles. The role of owners exists in every tenant, and only its scopes are settings. */
function organizationRolesOf({
  organizationRoles,
  organizationLinks,
}: Pick<ApiState, 'organizationRoles' | 'organizationLinks'>): Record<string, JsonObject> {
  const linksOf = (roleId: string) => {
    const links = organizationLinks.find(({ id }) => id === roleId)
    return {
      scopes: sortUnique(links?.scopes.map(({ name }) => name) ?? []),
      resourceScopes: sortUnique(
        links?.resourceScopes.map(({ resourceId, name }) => scopeKey(resourceId, name)) ?? [],
      ),
    }
  }
  return {
    [OWNER_ROLE.id]: linksOf(OWNER_ROLE.id),
    ...byId(
      organizationRoles.filter(({ id }) => id !== OWNER_ROLE.id),
      ({ id, name, description, permissions }) => ({
        name,
        description,
        permissions: sortUnique(permissions),
        ...linksOf(id),
      }),
    ),
  }
}

const applicationColumns = [
  'name',
  'type',
  'secret',
  'description',
  'secondFactorPolicy',
  'rememberDays',
  'oidcClientMetadata',
  'customClientMetadata',
] as const

const pick = <T extends object, Key extends keyof T>(item: T, keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, item[key]])) as Pick<T, Key>

const byId = <T extends { id: string }>(
  items: readonly T[],
  convert: (item: T) => JsonObject,
): Record<string, JsonObject> => Object.fromEntries(items.map((item) => [item.id, convert(item)]))
