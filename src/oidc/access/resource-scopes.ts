import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { managementScopeNames } from '../../contract/access/management-scopes.ts'
import {
  MANAGEMENT_CLIENT_ID,
  MANAGEMENT_RESOURCE,
  SERVICE_SCOPES,
  SERVICES_RESOURCE,
} from '../../contract/product.ts'
import { isBuiltInResource, scopesForClient } from '../../domain/applications/resource-access.ts'
import { type ChosenOrganization, isOrganizationUrn } from '../../domain/organisations/chosen-organization.ts'
import {
  findResourceByName,
  indicatorSpellingsJson,
  type ResourceRow,
  resourceQuery,
} from '../../storage/access/resources.ts'
import { applicationScopesQuery } from '../../storage/access/roles.ts'
import { storedApplicationQuery } from '../../storage/applications/applications.ts'
import type { Database } from '../../storage/database.ts'
import {
  applicationScopesInOrganizationQuery,
  organizationApplicationQuery,
} from '../../storage/organisations/applications.ts'
import type { ClientMetadataSource } from '../applications/clients.ts'
import { getProviderRequest } from '../request-context.ts'
import { notInOrganization, toOrganizationResource } from './organization-tokens.ts'

/** Finds the resource of a request, and the scopes that roles give there (spec/provider#resources). */

type ResourceRequest = { indicator: string; client: Client; chosen: ChosenOrganization }

type ResourceAndScopes = { resource: ResourceRow | null; scopes: readonly string[] }

export async function resourceOfApplication(
  { db, clients }: { db: Database; clients: Pick<ClientMetadataSource, 'isCurrent'> },
  { indicator, client, chosen }: ResourceRequest,
): Promise<ResourceAndScopes> {
  const { tenantId, work } = getProviderRequest()
  const applicationId = client.clientId
  // The built-in client has no database row and therefore no roles (spec/provider#built-in-clients).
  const isBuiltIn = applicationId === MANAGEMENT_CLIENT_ID
  const member = chosen.kind === 'organization' && { tenantId, organizationId: chosen.id, applicationId }
  const { resources, scopes, application, memberships } = await work.readTogether({
    resources: resourceQuery(db, tenantId, indicator),
    scopes: isBuiltIn
      ? undefined
      : member
        ? applicationScopesInOrganizationQuery(db, {
            ...member,
            indicators: indicatorSpellingsJson([indicator]),
          })
        : applicationScopesQuery(db, tenantId, applicationId, indicator),
    application: isBuiltIn ? undefined : storedApplicationQuery(db, tenantId, applicationId),
    memberships: member ? organizationApplicationQuery(db, member) : undefined,
  })
  if (member && memberships.length === 0) throw notInOrganization()
  const resource = isOrganizationUrn(indicator)
    ? toOrganizationResource(indicator)
    : findResourceByName(resources, indicator)
  if (resource && isBuiltInResource(resource.indicator) && application[0])
    if (!(await clients.isCurrent(client, application[0]))) return { resource, scopes: [] }
  const ownScopes = scopes.filter((scope) => scope.indicator === resource?.indicator).map(({ name }) => name)
  return { resource, scopes: isBuiltIn ? (builtInScopes[indicator] ?? []) : ownScopes }
}

export async function resourceOfUser(
  { oidc }: KoaContextWithOIDC,
  { indicator, client, chosen }: ResourceRequest,
): Promise<ResourceAndScopes> {
  const { work } = getProviderRequest()
  const resource = isOrganizationUrn(indicator)
    ? toOrganizationResource(indicator)
    : await work.resource(indicator)
  const name = resource?.indicator ?? indicator
  // At the token endpoint, the scopes of the grant apply. They are not determined again.
  if (oidc.grant) return { resource, scopes: oidc.grant.getResourceScope(name).split(' ').filter(Boolean) }
  const userId = oidc.session?.accountId
  if (!resource || userId === undefined || chosen.kind === 'ask' || chosen.kind === 'refuse')
    return { resource, scopes: [] }
  if (chosen.kind === 'organization')
    return { resource, scopes: await work.memberScopes({ userId, organizationId: chosen.id }, name) }
  const scopes = await work.userScopes(userId, name)
  return { resource, scopes: scopesForClient(client.clientId, { indicator: name, scopes }) }
}

/** The scopes of the built-in client, which are all scopes that a role can have. */
const builtInScopes: Record<string, readonly string[]> = {
  [MANAGEMENT_RESOURCE.indicator]: managementScopeNames,
  [SERVICES_RESOURCE.indicator]: SERVICE_SCOPES.map(({ name }) => name),
}
