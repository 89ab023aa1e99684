import { ADMINISTRATOR_ROLES, MANAGEMENT_SCOPES } from '../../contract/access/management-scopes.ts'
import { DEFAULT_EXPERIENCE } from '../../contract/experience/experience.ts'
import {
  ADMIN_ROLE,
  INITIAL_ROLES,
  MANAGEMENT_RESOURCE,
  MANAGEMENT_SCOPE,
  SERVICE_SCOPES,
  SERVICES_RESOURCE,
} from '../../contract/product.ts'
import { NEW_TENANT_SETTINGS } from '../../contract/tenants/settings.ts'
import type { Statement } from '../batches.ts'
import type { Database } from '../database.ts'
import { ensureOwnerRole } from '../organisations/organizations.ts'
import { configs, resources, roles, rolesScopes, scopes, signInExperiences } from '../tables.ts'
import { SETTINGS_KEY } from './settings.ts'

/**
 * Builds the initial rows of a tenant (spec/storage#seed-data). The tenant `default` gets the same rows from
 * migrations, so that a deployment needs no further step and the first request needs no additional write; a test
 * compares the two sets of rows. The statements are safe to repeat and leave existing rows unchanged.
 */
export function seedStatements(db: Database, tenantId: string, now: number): Statement[] {
  const withTenant = <T extends object>(rows: readonly T[]) => rows.map((row) => ({ ...row, tenantId }))
  const inserts = [
    db.insert(signInExperiences).values({ tenantId, ...DEFAULT_EXPERIENCE }),
    db.insert(resources).values(withTenant(startingResources)),
    ...inParts(startingScopes).map((part) =>
      db.insert(scopes).values(withTenant(part.map((scope) => ({ ...scope, createdAt: now })))),
    ),
    db.insert(roles).values(withTenant(startingRoles)),
    ...inParts(startingLinks).map((part) => db.insert(rolesScopes).values(withTenant(part))),
    db.insert(configs).values(withTenant(startingConfigs())),
  ]
  return [...inserts.map((insert) => insert.onConflictDoNothing()), ensureOwnerRole(db, tenantId)]
}

/** Splits rows into chunks, because D1 allows a hundred parameters in a statement. */
const inParts = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, part) =>
    rows.slice(part * ROWS, (part + 1) * ROWS),
  )

const ROWS = 15 // A row has up to six columns

const startingConfigs = () => [
  { key: 'adminConsole', value: ADMIN_CONSOLE },
  { key: SETTINGS_KEY, value: NEW_TENANT_SETTINGS },
]

const startingResources = [MANAGEMENT_RESOURCE, SERVICES_RESOURCE].map((resource) => ({
  ...resource,
  accessTokenTtl: 3600,
}))

const startingScopes = [
  ...MANAGEMENT_SCOPES.map((scope) => ({ ...scope, resourceId: MANAGEMENT_RESOURCE.id })),
  ...SERVICE_SCOPES.map((scope) => ({ ...scope, resourceId: SERVICES_RESOURCE.id })),
]

const startingRoles = [
  ...ADMINISTRATOR_ROLES.map(({ id, name, description }) => ({ id, name, description })),
  ...INITIAL_ROLES.map(({ id, name, description }) => ({ id, name, description })),
]

const startingLinks = [
  ...ADMINISTRATOR_ROLES.flatMap(({ id: roleId, mark, scopes: scopeNames }) =>
    MANAGEMENT_SCOPES.filter(({ name }) => scopeNames.some((each) => each === name)).map(({ id, name }) => ({
      // The first version of the product created this link with a different id.
      id: name === MANAGEMENT_SCOPE.name ? 'admin-role-all' : `${mark}-${id}`,
      roleId,
      scopeId: id,
    })),
  ),
  ...SERVICE_SCOPES.map(({ id }) => ({ id: `admin-${id}`, roleId: ADMIN_ROLE.id, scopeId: id })),
  ...INITIAL_ROLES.flatMap(({ id: roleId, scopes }) =>
    SERVICE_SCOPES.filter(({ name }) => scopes.some((scope) => scope === name)).map(({ id }) => ({
      id: `${roleId}-${id}`,
      roleId,
      scopeId: id,
    })),
  ),
]

/** The key of the onboarding checklist (spec/management#admin-console). */
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
