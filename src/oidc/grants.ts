import type { Client, Grant, KoaContextWithOIDC } from 'oidc-provider'
import type { Database } from '../storage/database.ts'
import { setFirstApplication } from '../storage/users.ts'
import { providerRequest } from './request-context.ts'

/**
 * The grant an authorization is judged by. A first party is granted what it asks for, resource scopes included; a
 * third party only what its user consented to (decision 21).
 */
export const loadExistingGrant =
  (db: Database) =>
  async (ctx: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { session, client, account, provider, result } = ctx.oidc
    if (!session || !client || !account) return undefined

    const grantId = result?.consent?.grantId ?? session.grantIdFor(client.clientId)
    const found = grantId ? await provider.Grant.find(grantId) : undefined
    const wasCut = found !== undefined && cutToRoles(ctx, found)
    if (isThirdParty(client)) {
      if (wasCut) await found.save()
      return found
    }

    const grant = found ?? new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
    // Judged by the sign-in it came with, should the account be revoked (decision 15).
    if (!found) Object.assign(grant, { iat: session.loginTs })
    const wasAddedTo = addMissing(ctx, grant)
    if (!found || wasCut || wasAddedTo) await grant.save()

    const { work, tenantId } = providerRequest()
    const user = await work.user(account.accountId)
    if (user && !user.applicationId) work.add(setFirstApplication(db, tenantId, user.id, client.clientId))
    return grant
  }

export const isThirdParty = (client: Client) => client.isThirdParty === true

/** Whoever lost a role loses its scopes with the next authorization (contract 4.5). True when something was cut. */
function cutToRoles({ oidc }: KoaContextWithOIDC, grant: Grant): boolean {
  const lost = Object.entries(oidc.resourceServers ?? {}).filter(([indicator, server]) =>
    scopesIn(grant, indicator).some((scope) => !server.scopes.has(scope)),
  )
  for (const [indicator, server] of lost) {
    const kept = scopesIn(grant, indicator).filter((scope) => server.scopes.has(scope))
    // The library can add to a grant and reject for ever, but not take back.
    Object.assign(grant, { resources: { ...grant.resources, [indicator]: kept.join(' ') } })
  }
  return lost.length > 0
}

const scopesIn = (grant: Grant, indicator: string) =>
  grant.getResourceScope(indicator).split(' ').filter(Boolean)

function addMissing({ oidc }: KoaContextWithOIDC, grant: Grant): boolean {
  const granted = new Set(grant.getOIDCScope().split(' '))
  const scopes = [...oidc.requestParamOIDCScopes].filter((scope) => !granted.has(scope))
  if (scopes.length > 0) grant.addOIDCScope(scopes.join(' '))

  const resources = Object.entries(oidc.resourceServers ?? {}).flatMap(([indicator, server]) => {
    const known = new Set(scopesIn(grant, indicator))
    const asked = [...oidc.requestParamScopes].filter(
      (scope) => server.scopes.has(scope) && !known.has(scope),
    )
    return asked.length > 0 ? [{ indicator, asked }] : []
  })
  for (const { indicator, asked } of resources) grant.addResourceScope(indicator, asked.join(' '))

  return scopes.length + resources.length > 0
}
