import { eq, type SQL, sql } from 'drizzle-orm'
import { ADMIN_ROLE, MANAGEMENT_SCOPE } from '../../contract/product.ts'
import { operatorScopes } from '../../domain/access/administration.ts'
import type { Database } from '../database.ts'
import type { Seals } from '../seal.ts'
import { applications, applicationsRoles, resources, rolesScopes, scopes } from '../tables.ts'
import { noPreviousSecret, sealPlainSecrets } from './application-secrets.ts'

/**
 * The scopes that applications gain, either because a role is assigned to them or because scopes are added to a role
 * that they have.
 */
type AddedScopes =
  | { roleId: string; applicationIds: readonly string[] }
  | { roleId: string; scopeIds: readonly string[] }

/**
 * Describes the scopes that applications gain when members are added to a role. Returns undefined if the new members
 * are users.
 */
export function scopesOfNewMembers(
  kind: 'user' | 'application' | 'scope',
  roleId: string,
  memberIds: readonly string[],
): AddedScopes | undefined {
  switch (kind) {
    case 'user':
      return undefined
    case 'application':
      return { roleId, applicationIds: memberIds }
    case 'scope':
      return { roleId, scopeIds: memberIds }
  }
}

export const scopesOfAdminRole = (applicationId: string): AddedScopes => ({
  roleId: ADMIN_ROLE.id,
  applicationIds: [applicationId],
})

/**
 * Replaces the credentials of applications that are about to gain scopes of our own APIs, because people without such
 * scopes may know or have set the old credentials (spec/management#replaced-credentials, ADR-0155). The statement runs
 * before the scopes are granted and returns the affected applications. The database decides which applications are
 * affected, so it generates the new secrets in plain text, and `sealReplacedSecrets` seals them afterwards.
 */
export const replaceCredentials = (db: Database, tenantId: string, added: AddedScopes) =>
  db
    .update(applications)
    .set({
      // SQLite generates 128 random bits and encodes them in characters that a secret may contain.
      secret: sql`lower(hex(randomblob(16)))`,
      sealedSecret: null,
      secretCreatedAt: sql`unixepoch() * 1000`,
      ...noPreviousSecret,
      customClientMetadata: sql`json_remove(${applications.customClientMetadata}, '$.jwks', '$.jwksUri')`,
    })
    .where(
      sql`${eq(applications.tenantId, tenantId)} and ${applications.id} in (${applicationIdsOf(tenantId, added)})
        and exists (select 1 from ${scopes}
          join ${resources} on ${resources.tenantId} = ${tenantId} and ${resources.id} = ${scopes.resourceId}
          join json_each(${JSON.stringify(operatorScopes)}) as own
            on own.value ->> '$.indicator' = ${resources.indicator} and own.value ->> '$.name' = ${scopes.name}
          where ${scopes.tenantId} = ${tenantId} and ${scopes.id} in (${scopeIdsOf(tenantId, added)})
            and not exists (select 1 from ${applicationsRoles}
              join ${rolesScopes} on ${rolesScopes.tenantId} = ${tenantId} and ${rolesScopes.roleId} = ${applicationsRoles.roleId}
              where ${applicationsRoles.tenantId} = ${tenantId} and ${applicationsRoles.applicationId} = ${applications.id}
                and ${rolesScopes.scopeId} in (${scopes.id}, ${MANAGEMENT_SCOPE.id})))`,
    )
    .returning({ id: applications.id })

/** Seals the new secrets after the batch that generated them. If this fails, the sweep seals them later. */
export async function sealReplacedSecrets(
  { db, seals }: { db: Database; seals: Seals },
  replaced: readonly unknown[],
): Promise<void> {
  if (replaced.length > 0) await sealPlainSecrets(db, seals)
}

const applicationIdsOf = (tenantId: string, added: AddedScopes): SQL =>
  'applicationIds' in added
    ? listed(added.applicationIds)
    : sql`select ${applicationsRoles.applicationId} from ${applicationsRoles}
        where ${applicationsRoles.tenantId} = ${tenantId} and ${applicationsRoles.roleId} = ${added.roleId}`

const scopeIdsOf = (tenantId: string, added: AddedScopes): SQL =>
  'scopeIds' in added
    ? listed(added.scopeIds)
    : sql`select ${rolesScopes.scopeId} from ${rolesScopes}
        where ${rolesScopes.tenantId} = ${tenantId} and ${rolesScopes.roleId} = ${added.roleId}`

const listed = (ids: readonly string[]): SQL => sql`select value from json_each(${JSON.stringify(ids)})`
