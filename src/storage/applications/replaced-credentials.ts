import { eq, type SQL, sql } from 'drizzle-orm'
import { ADMIN_ROLE, MANAGEMENT_SCOPE } from '../../contract/product.ts'
import { operatorScopes } from '../../domain/access/administration.ts'
import type { Database } from '../database.ts'
import type { Seals } from '../seal.ts'
import { applications, applicationsRoles, resources, rolesScopes, scopes } from '../tables.ts'
import { sealOpenSecrets } from './application-secrets.ts'

/** How applications get scopes: the role of administrators, any role, or the scopes that a role of theirs gets. */
type AddedScopes =
  | { roleId: string; applicationIds: readonly string[] }
  | { roleId: string; scopeIds: readonly string[] }

/** What applications get when members are added to a role; nothing where those are users. */
export function scopesOfAddition(
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
 * Before the scopes are given: replaces the credentials of the applications that get some of our own APIs which they lack. Whoever
 * could read or set the old ones had no such scopes (spec/management#replaced-credentials, ADR-0155). Answers the applications. The
 * new secret stands open until `sealReplaced`, so that the database decides who gets one.
 */
export const replaceCredentials = (db: Database, tenantId: string, added: AddedScopes) =>
  db
    .update(applications)
    .set({
      // 128 bits of SQLite's generator, as a secret may be written.
      secret: sql`lower(hex(randomblob(16)))`,
      sealedSecret: null,
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

/** Behind the batch that has replaced them. The sweep seals what this does not. */
export async function sealReplaced(
  { db, seals }: { db: Database; seals: Seals },
  replaced: readonly unknown[],
): Promise<void> {
  if (replaced.length > 0) await sealOpenSecrets(db, seals)
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
