import type { BatchItem } from 'drizzle-orm/batch'
import { DEFAULT_EXPERIENCE } from '../contract/experience.ts'
import {
  ADMIN_ROLE,
  MANAGEMENT_RESOURCE,
  MANAGEMENT_SCOPE,
  SERVICE_SCOPES,
  SERVICES_RESOURCE,
  STARTING_ROLES,
} from '../contract/product.ts'
import type { Database } from './database.ts'
import { configs, resources, roles, rolesScopes, scopes, signInExperiences, tenants } from './tables.ts'

/**
 * What every tenant starts with (contract 6). The tenant `default` gets the same from migrations, so that a deployment
 * needs no further step; a test holds the two together. Safe to repeat: what is there stays.
 */
export async function seedTenant(db: Database, tenantId: string, now: number): Promise<void> {
  const tenant = db.insert(tenants).values({ id: tenantId, createdAt: now }).onConflictDoNothing()
  await db.batch([tenant, ...seedStatements(db, tenantId, now)])
}

/** For the batch in which a tenant is made. */
export function seedStatements(db: Database, tenantId: string, now: number): BatchItem<'sqlite'>[] {
  const of = <T extends object>(rows: readonly T[]) => rows.map((row) => ({ ...row, tenantId }))
  return [
    db.insert(signInExperiences).values({ tenantId, ...DEFAULT_EXPERIENCE }),
    db.insert(resources).values(of(startingResources)),
    db.insert(scopes).values(of(startingScopes.map((scope) => ({ ...scope, createdAt: now })))),
    db.insert(roles).values(of(startingRoles)),
    db.insert(rolesScopes).values(of(startingLinks)),
    db.insert(configs).values({ tenantId, key: 'adminConsole', value: ADMIN_CONSOLE }),
  ].map((insert) => insert.onConflictDoNothing())
}

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

/** The onboarding checklist (spec 3): nothing done yet. */
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
