import type { z } from 'zod'
import type { ResourceWithScopes } from '../../src/contract/access/resources.schema.ts'
import type { RoleSchema, RoleScope } from '../../src/contract/access/roles.schema.ts'
import type { ApplicationSchema } from '../../src/contract/applications/applications.schema.ts'
import type { ConnectorSchema } from '../../src/contract/connectors/connectors.schema.ts'
import type { CustomPhrasesSchema } from '../../src/contract/experience/custom-phrases.schema.ts'
import type { SignInExperienceSchema } from '../../src/contract/experience/experience.schema.ts'
import type { HookSchema } from '../../src/contract/hooks/hooks.schema.ts'
import { ADMIN_ROLE } from '../../src/contract/product.ts'
import type { TenantSettingsResponse } from '../../src/contract/tenants/settings.schema.ts'
import { isBuiltInResource } from './built-in.ts'
import type { JsonObject } from './json.ts'
import type { FactoryForm } from './secret-places.ts'
import { type ConfigState, SINGLETON_ID, scopeKey, sortUnique } from './state.ts'

type Application = z.output<typeof ApplicationSchema>
type Scope = z.output<typeof RoleScope>

/** The responses of the management API, by the kind of data that is requested. */
type ApiResponses = {
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
}

export type ApiState = Omit<ApiResponses, 'scopes'> & {
  /** The scopes of each role and the applications that have the role. */
  links: { id: string; scopes: Scope[]; applications: Application[] }[]
  /** The applications that have the administrator role. */
  admins: Application[]
}

/** The current state of a deployment. */
export type CurrentState = {
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
  environment: 'production' | 'development'
}

/** Calls the management API. A command checks the response against its schema; the console does not. */
export type ReadApi = <Name extends keyof ApiResponses>(
  name: Name,
  path: string,
  query?: Readonly<Record<string, string>>,
) => Promise<ApiResponses[Name]>

/** Reads the state of a tenant. The command line and the console make the same API calls. */
export async function readState(read: ReadApi): Promise<Omit<CurrentState, 'environment'>> {
  const pages = <Name extends 'roles' | 'applications'>(name: Name, path: string) =>
    readPages((query) => read(name, path, query) as Promise<ApiResponses[Name][number][]>)
  const [experience, settings, connectors, factories, phrases, resources, roles, ...others] =
    await Promise.all([
      read('experience', 'sign-in-exp'),
      read('settings', 'configs/settings'),
      read('connectors', 'connectors'),
      read('factories', 'connector-factories'),
      read('phrases', 'custom-phrases'),
      read('resources', 'resources', { includeScopes: 'true' }),
      pages('roles', 'roles'),
      pages('applications', 'applications'),
      pages('applications', `roles/${ADMIN_ROLE.id}/applications`),
      read('hooks', 'hooks'),
    ])
  const [applications, admins, hooks] = others
  const links = await mapInChunks(roles, async ({ id }) => ({
    id,
    scopes: await read('scopes', `roles/${id}/scopes`),
    applications: await pages('applications', `roles/${id}/applications`),
  }))
  return toConfigState({
    experience,
    settings,
    connectors,
    factories,
    phrases,
    resources,
    roles,
    links,
    applications,
    admins,
    hooks,
  })
}

const PAGE_SIZE = 100 // spec/limits#lists

async function readPages<T>(read: (query: Record<string, string>) => Promise<T[]>): Promise<T[]> {
  const rows: T[] = []
  for (let page = 1; ; page++) {
    const more = await read({ page: String(page), page_size: String(PAGE_SIZE) })
    rows.push(...more)
    if (more.length < PAGE_SIZE) return rows
  }
}

const CHUNK = 8

/** Reads the items a few at a time, because a tenant may have many. */
async function mapInChunks<T, U>(items: readonly T[], read: (item: T) => Promise<U>): Promise<U[]> {
  const results: U[] = []
  for (let at = 0; at < items.length; at += CHUNK)
    results.push(...(await Promise.all(items.slice(at, at + CHUNK).map(read))))
  return results
}

/** Converts API responses to the objects of a settings file. */
export function toConfigState(responses: ApiState): Omit<CurrentState, 'environment'> {
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
      hooks: byId(hooks, (hook) => pick(hook, ['events', 'config'])),
      settings: { [SINGLETON_ID]: settings },
    },
    scopeIds: new Map(scopes.map(({ key, id }) => [key, id])),
    builtInScopes: scopes.filter(({ resourceId }) => isBuiltInResource(resourceId)).map(({ key }) => key),
    factories: responses.factories,
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
