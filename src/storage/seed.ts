import { DEFAULT_EXPERIENCE } from '../contract/experience.ts'
import { ADMIN_ROLE, MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE } from '../contract/product.ts'
import type { Database } from './database.ts'
import { configs, resources, roles, rolesScopes, scopes, signInExperiences, tenants } from './tables.ts'

/**
 * What every tenant starts with (contract 6). The tenant `default` gets the same from a migration, so that a
 * deployment needs no further step; a test holds the two together. Safe to repeat: what is there stays.
 */
export async function seedTenant(db: Database, tenantId: string, now: number): Promise<void> {
  await db.batch([
    db.insert(tenants).values({ id: tenantId, createdAt: now }).onConflictDoNothing(),
    db
      .insert(signInExperiences)
      .values({ tenantId, ...DEFAULT_EXPERIENCE })
      .onConflictDoNothing(),
    db
      .insert(resources)
      .values({ tenantId, ...MANAGEMENT_RESOURCE, accessTokenTtl: 3600 })
      .onConflictDoNothing(),
    db
      .insert(scopes)
      .values({
        tenantId,
        ...MANAGEMENT_SCOPE,
        resourceId: MANAGEMENT_RESOURCE.id,
        description: 'Everything the management API can do',
        createdAt: now,
      })
      .onConflictDoNothing(),
    db
      .insert(roles)
      .values({ tenantId, ...ADMIN_ROLE, description: 'Administers this tenant through the management API' })
      .onConflictDoNothing(),
    db
      .insert(rolesScopes)
      .values({ tenantId, id: 'admin-role-all', roleId: ADMIN_ROLE.id, scopeId: MANAGEMENT_SCOPE.id })
      .onConflictDoNothing(),
    db.insert(configs).values({ tenantId, key: 'adminConsole', value: ADMIN_CONSOLE }).onConflictDoNothing(),
  ])
}

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
