import { and, eq, type SQL, sql } from 'drizzle-orm'
import { readOrganizationBrand, readOrganizationPolicy } from '../../contract/organisations/policy.schema.ts'
import { addedSecondFactorPolicies } from '../../contract/tenants/settings.ts'
import type { OrganizationLook } from '../../domain/organisations/brand.ts'
import type { Database } from '../database.ts'
import {
  type HistoryKey,
  historiesIfAdaptive,
  noHistory,
  userHistoryJson,
} from '../factors/sign-in-places.ts'
import { type ModelKey, modelValue, payloadAt } from '../interactions/oidc-models.ts'
import { organizations, organizationUsers, users } from '../tables.ts'
import { matchesAnyLookup, type UserLookup } from '../users/users.ts'
import type { OrganizationKey } from './organizations.ts'

/** The policies of organisations, and what pages need to know of them (spec/organisations#policy, #brand). */

const secondFactor = sql`(${organizations.policy} ->> '$.secondFactor')`

/** Selects the policy of an organisation for each of its members among the accounts that the lookups match. */
export const memberPoliciesQuery = (
  db: Database,
  { tenantId, organizationId }: OrganizationKey,
  lookups: readonly UserLookup[],
  key?: HistoryKey,
) =>
  db
    .select({
      userId: users.id,
      policy: organizations.policy,
      histories: key ? historiesIfAdaptive(secondFactor, userHistoryJson(key)) : noHistory,
    })
    .from(users)
    .innerJoin(
      organizationUsers,
      and(
        eq(organizationUsers.tenantId, tenantId),
        eq(organizationUsers.organizationId, organizationId),
        eq(organizationUsers.userId, users.id),
      ),
    )
    .innerJoin(
      organizations,
      and(eq(organizations.tenantId, tenantId), eq(organizations.id, organizationUsers.organizationId)),
    )
    .where(matchesAnyLookup(tenantId, lookups))

/** Checks whether any organisation of the tenant has a second-factor policy. SQLite reads one row of an index. */
export const hasOrganizationPolicy = (tenantId: string): SQL =>
  sql`exists (select 1 from ${organizations} where ${organizations.tenantId} = ${tenantId} and ${secondFactor} is not null)`

/** Selects the second-factor policies that organisations of the tenant have, reading one row of an index for each. */
export const organizationPolicies = (tenantId: string): SQL =>
  sql`select value as "policy" from json_each(${JSON.stringify(addedSecondFactorPolicies)})
    where exists (select 1 from ${organizations}
      where ${organizations.tenantId} = ${tenantId} and ${secondFactor} = json_each.value)`

/**
 * Checks that the sign-in of a code or refresh token is not older than the organisation of its grant allows
 * (spec/organisations#session-length). The condition belongs to a query for the grant. A limit that is not a number is
 * treated as zero. Table names are written out, because drizzle omits them in a single-table SELECT.
 */
export const isSignInRecent = (key: ModelKey): SQL =>
  sql`not exists (select 1 from organizations where organizations.tenant_id = ${key.tenantId}
    and organizations.id = json_extract(oidc_model_instances.payload, '$.organizationId')
    and organizations.policy ->> '$.sessionMaxAgeSeconds' is not null
    and coalesce(${modelValue(key, payloadAt('$.authTime'))}, 0)
      + (organizations.policy ->> '$.sessionMaxAgeSeconds') < unixepoch())`

/** Returns what the pages need to know of an organisation, or null if there is none with this id. */
export async function readOrganizationLook(
  db: Database,
  { tenantId, organizationId }: OrganizationKey,
): Promise<OrganizationLook | null> {
  const [row] = await db
    .select({ name: organizations.name, brand: organizations.brand, policy: organizations.policy })
    .from(organizations)
    .where(and(eq(organizations.tenantId, tenantId), eq(organizations.id, organizationId)))
  if (!row) return null
  const { methods } = readOrganizationPolicy(row.policy)
  return { name: row.name, brand: readOrganizationBrand(row.brand), methods }
}
