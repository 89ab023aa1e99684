import { z } from 'zod'
import { ApplicationSchema } from '../../src/contract/applications.schema.ts'
import { ConnectorFactorySchema, ConnectorSchema } from '../../src/contract/connectors.schema.ts'
import { CustomPhrasesSchema } from '../../src/contract/custom-phrases.schema.ts'
import { DoctorReport } from '../../src/contract/doctor.schema.ts'
import { SignInExperienceSchema } from '../../src/contract/experience.schema.ts'
import { HookSchema } from '../../src/contract/hooks.schema.ts'
import { ADMIN_ROLE } from '../../src/contract/product.ts'
import { ResourceWithScopes } from '../../src/contract/resources.schema.ts'
import { RoleSchema, RoleScope } from '../../src/contract/roles.schema.ts'
import { TenantSettingsAnswer } from '../../src/contract/settings.schema.ts'
import type { Deployment } from '../deployment.ts'
import { isBuiltInResource } from './built-in.ts'
import type { JsonObject } from './json.ts'
import type { FactoryForm } from './secret-places.ts'
import { type ConfigState, SINGLETON_ID, scopeKey, sortedSet } from './state.ts'

/** The current state of a deployment. */
export type CurrentState = {
  state: ConfigState
  /** Ids of scopes by their key, because the API links by id. */
  scopeIds: Map<string, string>
  /** Scopes of the built-in resources. */
  builtInScopes: string[]
  /** They declare which fields of a connector are secret and whether it may have its own target. */
  factories: FactoryForm[]
  environment: 'production' | 'development'
}

export async function readCurrent(deployment: Deployment): Promise<CurrentState> {
  const { get } = deployment
  // The first call fetches the token for all others.
  const report = await get('configs/doctor', DoctorReport)
  const [
    experience,
    settings,
    connectors,
    factories,
    phrases,
    resources,
    roles,
    applications,
    admins,
    hooks,
  ] = await Promise.all([
    get('sign-in-exp', SignInExperienceSchema),
    get('configs/settings', TenantSettingsAnswer),
    get('connectors', z.array(ConnectorSchema)),
    get('connector-factories', z.array(ConnectorFactorySchema)),
    get('custom-phrases', z.array(CustomPhrasesSchema)),
    get('resources', z.array(ResourceWithScopes), { includeScopes: 'true' }),
    readPages(deployment, 'roles', RoleSchema),
    readPages(deployment, 'applications', ApplicationSchema),
    readPages(deployment, `roles/${ADMIN_ROLE.id}/applications`, ApplicationSchema),
    get('hooks', z.array(HookSchema)),
  ])
  const links = await mapInChunks(roles, async ({ id }) => ({
    id,
    scopes: await get(`roles/${id}/scopes`, z.array(RoleScope)),
    applications: await readPages(deployment, `roles/${id}/applications`, ApplicationSchema),
  }))

  const scopes = resources.flatMap(({ id: resourceId, scopes = [] }) =>
    scopes.map((scope) => ({ ...scope, resourceId, key: scopeKey(resourceId, scope.name) })),
  )
  const { tenantId: _tenant, id: _id, ...experienceColumns } = experience

  return {
    state: {
      resources: byId(
        resources.filter(({ id }) => !isBuiltInResource(id)),
        ({ name, indicator, accessTokenTtl }) => ({ name, indicator, accessTokenTtl }),
      ),
      scopes: Object.fromEntries(
        scopes
          .filter(({ resourceId }) => !isBuiltInResource(resourceId))
          .map(({ key, description }) => [key, { description: description ?? '' }]),
      ),
      roles: byId(roles, ({ id, name, description, secondFactorPolicy }) => ({
        name,
        description,
        secondFactorPolicy,
        scopes: sortedSet(
          links
            .find((role) => role.id === id)
            ?.scopes.map((scope) => scopeKey(scope.resourceId, scope.name)) ?? [],
        ),
      })),
      roleApplications: byId(links, (role) => ({
        applications: sortedSet(role.applications.map(({ id }) => id)),
      })),
      // Demo connectors are part of the settings.
      connectors: byId(
        connectors.filter(({ isDemo }) => !isDemo),
        ({ connectorId, config, metadata, syncProfile }) => ({
          connectorId,
          // The answer is JSON, so its values are.
          config: config as JsonObject,
          metadata,
          syncProfile,
        }),
      ),
      phrases: Object.fromEntries(
        phrases.map(({ languageTag, translation }) => [languageTag, translation as JsonObject]),
      ),
      experience: { [SINGLETON_ID]: experienceColumns },
      // Those that registered themselves are no settings.
      applications: byId(
        applications.filter(({ customClientMetadata }) => !customClientMetadata.dynamicRegistration),
        ({
          id,
          name,
          type,
          secret,
          description,
          secondFactorPolicy,
          oidcClientMetadata,
          customClientMetadata,
        }) => ({
          name,
          type,
          secret,
          description,
          secondFactorPolicy,
          oidcClientMetadata,
          customClientMetadata,
          isAdmin: admins.some((admin) => admin.id === id),
        }),
      ),
      hooks: byId(hooks, ({ event, config }) => ({ event, config })),
      settings: { [SINGLETON_ID]: settings },
    },
    scopeIds: new Map(scopes.map(({ key, id }) => [key, id])),
    builtInScopes: scopes.filter(({ resourceId }) => isBuiltInResource(resourceId)).map(({ key }) => key),
    factories,
    environment: report.environment,
  }
}

const PAGE_SIZE = 100 // spec/limits#lists

async function readPages<T extends z.ZodType>(
  { get }: Deployment,
  path: string,
  schema: T,
): Promise<z.output<T>[]> {
  const all: z.output<T>[] = []
  for (let page = 1; ; page++) {
    const found = await get(path, z.array(schema), { page: String(page), page_size: String(PAGE_SIZE) })
    all.push(...found)
    if (found.length < PAGE_SIZE) return all
  }
}

const CHUNK = 8

/** A few at a time, because a tenant may have many. */
async function mapInChunks<T, U>(items: readonly T[], read: (item: T) => Promise<U>): Promise<U[]> {
  const results: U[] = []
  for (let at = 0; at < items.length; at += CHUNK)
    results.push(...(await Promise.all(items.slice(at, at + CHUNK).map(read))))
  return results
}

const byId = <T extends { id: string }>(
  items: readonly T[],
  to: (item: T) => JsonObject,
): Record<string, JsonObject> => Object.fromEntries(items.map((item) => [item.id, to(item)]))
