import type { z } from 'zod'
import type { ResourceWithScopes } from '../../src/contract/access/resources.schema.ts'
import type { RoleSchema, RoleScope } from '../../src/contract/access/roles.schema.ts'
import type { ApplicationSchema } from '../../src/contract/applications/applications.schema.ts'
import type { ConnectorSchema } from '../../src/contract/connectors/connectors.schema.ts'
import type { CustomPhrasesSchema } from '../../src/contract/experience/custom-phrases.schema.ts'
import type { SignInExperienceSchema } from '../../src/contract/experience/experience.schema.ts'
import type { HookSchema } from '../../src/contract/hooks/hooks.schema.ts'
import type { TenantSettingsAnswer } from '../../src/contract/tenants/settings.schema.ts'
import { isBuiltInResource } from './built-in.ts'
import type { JsonObject } from './json.ts'
import type { FactoryForm } from './secret-places.ts'
import { type ConfigState, SINGLETON_ID, scopeKey, sortedSet } from './state.ts'

/** What the management API answers of a tenant: read by a command, or by the console. */
export type AnsweredState = {
  experience: z.output<typeof SignInExperienceSchema>
  settings: z.output<typeof TenantSettingsAnswer>
  connectors: z.output<typeof ConnectorSchema>[]
  factories: FactoryForm[]
  phrases: z.output<typeof CustomPhrasesSchema>[]
  resources: z.output<typeof ResourceWithScopes>[]
  roles: z.output<typeof RoleSchema>[]
  /** Of each role: its scopes, and the applications that have it. */
  links: {
    id: string
    scopes: z.output<typeof RoleScope>[]
    applications: z.output<typeof ApplicationSchema>[]
  }[]
  applications: z.output<typeof ApplicationSchema>[]
  /** Those with the role of administrators. */
  admins: z.output<typeof ApplicationSchema>[]
  hooks: z.output<typeof HookSchema>[]
}

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

/** The answers as the objects of a settings file. */
export function stateOf({
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
}: AnsweredState): Omit<CurrentState, 'environment'> {
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
      roles: byId(roles, ({ id, name, description, secondFactorPolicy, rememberDays }) => ({
        name,
        description,
        secondFactorPolicy,
        rememberDays,
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
          rememberDays,
          oidcClientMetadata,
          customClientMetadata,
        }) => ({
          name,
          type,
          secret,
          description,
          secondFactorPolicy,
          rememberDays,
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
  }
}

const byId = <T extends { id: string }>(
  items: readonly T[],
  to: (item: T) => JsonObject,
): Record<string, JsonObject> => Object.fromEntries(items.map((item) => [item.id, to(item)]))
