import type { KoaContextWithOIDC } from 'oidc-provider'
import { MAX_LISTED_ORGANIZATIONS } from '../../contract/organisations/organizations.ts'
import type { Database } from '../../storage/database.ts'
import { organizationsClaimQuery } from '../../storage/organisations/organizations-claim.ts'
import { getProviderRequest } from '../request-context.ts'
import { organizationOfTokens } from './organization-tokens.ts'

/** The claims about organisations in ID tokens and userinfo (spec/organisations#claims). */

type Requested = { use: string; scope: string; requested: object }

/**
 * Returns the organisation of the tokens and, if they are requested, its name and the user's organisations. Only
 * userinfo lists the organisations, because tokens must stay small.
 */
export async function organizationClaims(
  db: Database,
  ctx: KoaContextWithOIDC,
  { userId, use, scope, requested }: Requested & { userId: string },
) {
  const { tenantId, work } = getProviderRequest()
  const organizationId = organizationOfTokens(ctx)
  const isRequested = (claim: string) =>
    scope.split(' ').includes('organizations') || Object.hasOwn(requested, claim)
  const [membership] =
    organizationId !== undefined && isRequested('org_name')
      ? await work.memberships(userId, organizationId)
      : []
  const claims = { org_id: organizationId, org_name: membership?.name }
  if (use !== 'userinfo' || !isRequested('organizations')) return claims
  const { rows } = await work.readTogether({ rows: organizationsClaimQuery(db, tenantId, userId) })
  return {
    ...claims,
    organizations: rows.slice(0, MAX_LISTED_ORGANIZATIONS),
    organizations_truncated: rows.length > MAX_LISTED_ORGANIZATIONS || undefined,
  }
}
