import { DEFAULT_EXPERIENCE } from '../contract/experience.ts'
import {
  ADMIN_ROLE,
  MANAGEMENT_RESOURCE,
  MANAGEMENT_SCOPE,
  SERVICE_SCOPES,
  SERVICES_RESOURCE,
  STARTING_ROLES,
} from '../contract/product.ts'
import { NEW_TENANT_SETTINGS } from '../contract/settings.ts'
import type { Statement } from './batches.ts'
import type { Database } from './database.ts'
import { SETTINGS_KEY } from './settings.ts'
import { configs, resources, roles, rolesScopes, scopes, signInExperiences } from './tables.ts'

/**
 * The rows with which a tenant starts (spec/storage#seed-data). The tenant `default` gets the same rows from migrations,
 * so that a deployment needs no step after them; a test compares the two. Seeding at the first request would put a write
 * on the hottest path. Safe to repeat: existing rows stay.
 */
export function seedStatements(db: Database, tenantId: string, now: number): Statement[] {
  const of = <T extends object>(rows: readonly T[]) => rows.map((row) => ({ ...row, tenantId }))
  return [
    db.insert(signInExperiences).values({ tenantId, ...DEFAULT_EXPERIENCE }),
    db.insert(resources).values(of(startingResources)),
    db.insert(scopes).values(of(startingScopes.map((scope) => ({ ...scope, createdAt: now })))),
    db.insert(roles).values(of(startingRoles)),
    db.insert(rolesScopes).values(of(startingLinks)),
    db.insert(configs).values(of(startingConfigs())),
  ].map((insert) => insert.onConflictDoNothing())
}

const startingConfigs = () => [
  { key: 'adminConsole', value: ADMIN_CONSOLE },
  { key: SETTINGS_KEY, value: NEW_TENANT_SETTINGS },
]

const startingResources = [MANAGEMENT_RESOURCE, SERVICES_RESOURCE].map((resource) => ({
  ...resource,
  accessTokenTtl: 3600,
}))

const startingScopes = [
  {
    ...MANAGEMENT_SCOPE,
    resourceId: MANAGEMENT_RESOURCE.id,
    description: 'Everything the management API can do',
  },
  ...SERVICE_SCOPES.map((scope) => ({ ...scope, resourceId: SERVICES_RESOURCE.id })),
]

const startingRoles = [
  { ...ADMIN_ROLE, description: 'Administers this tenant through the management API' },
  ...STARTING_ROLES.map(({ id, name, description }) => ({ id, name, description })),
]

const startingLinks = [
  { id: 'admin-role-all', roleId: ADMIN_ROLE.id, scopeId: MANAGEMENT_SCOPE.id },
  ...SERVICE_SCOPES.map(({ id }) => ({ id: `admin-${id}`, roleId: ADMIN_ROLE.id, scopeId: id })),
  ...STARTING_ROLES.flatMap(({ id: roleId, scopes }) =>
    SERVICE_SCOPES.filter(({ name }) => scopes.some((held) => held === name)).map(({ id }) => ({
      id: `${roleId}-${id}`,
      roleId,
      scopeId: id,
    })),
  ),
]

/** The onboarding checklist (spec/management#admin-console). */
const ADMIN_CONSOLE = {
  livePreviewChecked: false,
  applicationCreated: false,
  signInExperienceCustomized: false,
  passwordlessConfigured: false,
  communityChecked: false,
  furtherReadingsChecked: false,
  roleCreated: false,
  m2mApplicationCreated: false,
}
