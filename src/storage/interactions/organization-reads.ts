import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { memberScopesQuery, type OrganizationScopeRow } from '../organisations/organization-scopes.ts'
import { isSignInRecent } from '../organisations/policies.ts'
import { oidcModelInstances as models } from '../tables.ts'
import { isGrantInForce, type ModelKey, matchesModelName, modelValue, payloadAt } from './oidc-models.ts'
import { tokenResources } from './oidc-reads.ts'

/** Selects facts about organisations together with the provider's own rows (spec/organisations#flow). */

/**
 * Selects the grant of a code or refresh token and, if it is for an organisation, the scopes of its user there for the
 * resources of the code or token. A grant whose organisation requires a more recent sign-in is left out. It is one query,
 * so that a personal grant costs no further row.
 */
export const grantWithScopesQuery = (db: Database, key: ModelKey) =>
  db
    .select({
      ...getTableColumns(models),
      memberScopes: sql<
        OrganizationScopeRow[] | null
      >`case when ${payloadAt('$.organizationId')} is not null then
        (select json_group_array(json_object('organizationId', scope_organization, 'indicator', scope_indicator,
          'name', scope_name)) from (${memberScopesQuery(db, key.tenantId, {
            organizationId: sql`json_extract(oidc_model_instances.payload, '$.organizationId')`,
            userId: sql`oidc_model_instances.account_id`,
            indicators: tokenResources(key),
          })})) end`
        .mapWith((scopes: string) => JSON.parse(scopes) as OrganizationScopeRow[])
        .as('member_scopes'),
    })
    .from(models)
    .where(
      and(
        matchesModelName(key.tenantId, 'Grant'),
        eq(models.id, modelValue(key, models.grantId)),
        isGrantInForce,
        isSignInRecent(key),
      ),
    )
    .limit(1)

/**
 * Selects the organisation for which the user of these rows will probably act, or null: what they chose in the
 * interaction, that of the grant to which they have just consented, or that of the application's grant in the session.
 */
export function expectedOrganizationId(keys: readonly ModelKey[], clientId: string | undefined): SQL {
  const interaction = keys.find(({ modelName }) => modelName === 'Interaction')
  const session = clientId === undefined ? undefined : keys.find(({ modelName }) => modelName === 'Session')
  const organizationOf = (tenantId: string, grantId: SQL) =>
    sql`(select json_extract(grants.payload, '$.organizationId') from ${models} as grants
      where grants.tenant_id = ${tenantId} and grants.model_name = 'Grant' and grants.id = ${grantId})`
  const candidates = [
    ...(interaction
      ? [
          modelValue(interaction, payloadAt('$.result.select_organization.organizationId')),
          modelValue(interaction, payloadAt('$.lastSubmission.select_organization.organizationId')),
          organizationOf(
            interaction.tenantId,
            modelValue(interaction, payloadAt('$.result.consent.grantId')),
          ),
        ]
      : []),
    ...(session
      ? [
          organizationOf(
            session.tenantId,
            sql`(select json_extract(value, '$.grantId') from json_each(${modelValue(session, payloadAt('$.authorizations'))})
              where key = ${clientId})`,
          ),
        ]
      : []),
  ]
  return sql`coalesce(${sql.join([...candidates, sql`null`, sql`null`], sql`, `)})`
}

/** Selects an expected organisation, so that the caller knows to which one the scopes of the same batch belong. */
export const expectedOrganizationQuery = (db: Database, organizationId: string | SQL) =>
  db.all<{ id: string | null }>(sql`select ${organizationId} as id`)
