import type { Grant, KoaContextWithOIDC } from 'oidc-provider'
import { deleteImplicitGrant } from '../../storage/applications/issued.ts'
import type { Database } from '../../storage/database.ts'
import { touchMembership } from '../../storage/organisations/memberships.ts'
import { setFirstApplication } from '../../storage/users/user-changes.ts'
import { createGrant, isThirdParty, loadThirdPartyGrant } from '../applications/third-party.ts'
import { getProviderRequest } from '../request-context.ts'
import { missingClaims } from './claims.ts'
import { findSessionGrant, organizationOfGrant, organizationOfRequest } from './organization.ts'

/**
 * Loads or creates an authorization's grant. First-party applications are granted everything that they request,
 * including claims and resource scopes. Third-party applications are granted only what the user has consented to
 * (spec/provider#consent).
 */
export const loadExistingGrant =
  (db: Database) =>
  async (ctx: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { session, client, account, provider } = ctx.oidc
    if (!session || !client || !account) return undefined
    const chosen = await organizationOfRequest(ctx)
    // The user has to choose first, or is refused once it is clear who signs in.
    if (chosen.kind === 'ask' || chosen.kind === 'refuse') return undefined
    const organizationId = chosen.kind === 'organization' ? chosen.id : undefined

    const current = await findSessionGrant(ctx)
    const stored = current && organizationOfGrant(current) === organizationId ? current : undefined
    const wasReduced = stored !== undefined && reduceToRoles(ctx, stored)
    if (isThirdParty(client)) return loadThirdPartyGrant(db, ctx, { stored, wasReduced, organizationId })

    const grant = stored ?? createGrant(provider, { account, client, session, organizationId })
    const wasExtended = addMissingAccess(ctx, grant)
    const { work, tenantId, now } = getProviderRequest()
    if (!stored || wasReduced || wasExtended) {
      const id = await grant.save()
      if (!stored) work.add(deleteImplicitGrant(db, { tenantId, applicationId: client.clientId }, id))
      if (!stored && organizationId !== undefined)
        work.add(touchMembership(db, { tenantId, userId: account.accountId, organizationId }, now()))
    }
    const user = await work.user(account.accountId)
    if (user && !user.applicationId) work.add(setFirstApplication(db, tenantId, user.id, client.clientId))
    return grant
  }

/** Removes scopes that the user's roles no longer include (spec/provider#resources). Returns true if it removed any. */
function reduceToRoles({ oidc }: KoaContextWithOIDC, grant: Grant): boolean {
  const lost = Object.entries(oidc.resourceServers ?? {}).filter(([indicator, server]) =>
    scopesIn(grant, indicator).some((scope) => !server.scopes.has(scope)),
  )
  for (const [indicator, server] of lost) {
    const remaining = scopesIn(grant, indicator).filter((scope) => server.scopes.has(scope))
    // The library can add scopes to a grant or reject them permanently, but cannot remove them.
    Object.assign(grant, { resources: { ...grant.resources, [indicator]: remaining.join(' ') } })
  }
  return lost.length > 0
}

const scopesIn = (grant: Grant, indicator: string) =>
  grant.getResourceScope(indicator).split(' ').filter(Boolean)

function addMissingAccess(ctx: KoaContextWithOIDC, grant: Grant): boolean {
  const { oidc } = ctx
  const granted = new Set(grant.getOIDCScope().split(' '))
  const scopes = [...oidc.requestParamOIDCScopes].filter((scope) => !granted.has(scope))
  if (scopes.length > 0) grant.addOIDCScope(scopes.join(' '))

  const claims = missingClaims(ctx, grant)
  if (claims.length > 0) grant.addOIDCClaims(claims)

  const resources = Object.entries(oidc.resourceServers ?? {}).flatMap(([indicator, server]) => {
    const granted = new Set(scopesIn(grant, indicator))
    const requested = [...oidc.requestParamScopes].filter(
      (scope) => server.scopes.has(scope) && !granted.has(scope),
    )
    return requested.length > 0 ? [{ indicator, requested }] : []
  })
  for (const { indicator, requested } of resources) {
    grant.addResourceScope(indicator, requested.join(' '))
  }

  return scopes.length + claims.length + resources.length > 0
}
