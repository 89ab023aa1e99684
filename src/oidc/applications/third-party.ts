import type { Account, Client, Grant, KoaContextWithOIDC, Provider, Session } from 'oidc-provider'
import type { ClientSnapshot } from '../../contract/applications/unregistered-clients.ts'
import { isLoopbackRedirect, toClientSnapshot } from '../../domain/applications/client-document.ts'
import type { ConsentRequest } from '../../domain/applications/consent.ts'
import { type ConsentRow, deleteWithdrawnGrant } from '../../storage/applications/consents.ts'
import type { Database } from '../../storage/database.ts'
import { providerRequest } from '../request-context.ts'
import { standingOfSession } from '../sessions/exemptions.ts'
import { isUnregistered } from './unregistered-clients.ts'

/**
 * Decides what third-party applications are granted, and what their users must consent to first
 * (spec/provider#consent).
 */

export const isThirdParty = (client: Client) => client.isThirdParty === true

/**
 * Returns whether users are asked for consent at each sign-in, because no operator has reviewed the client's
 * description of itself.
 */
export const asksConsentEachTime = (client: Client) =>
  isUnregistered(client) || client.isDynamicallyRegistered === true

/**
 * Returns a grant with everything that the user has granted before, in this session or an earlier one. Consents are
 * looked up only for scopes that the stored grant lacks.
 */
export async function thirdPartyGrant(
  db: Database,
  ctx: KoaContextWithOIDC,
  { stored, wasReduced }: { stored: Grant | undefined; wasReduced: boolean },
): Promise<Grant | undefined> {
  const { session, client, account, provider } = ctx.oidc
  if (!session || !client || !account) return undefined
  const missing = missingIn(ctx, stored)
  const { tenantId, work } = providerRequest()
  const key = { tenantId, userId: account.accountId, applicationId: client.clientId }
  // For an unregistered client, the grant is the only record of a consent.
  const consented =
    isNothing(missing) || isUnregistered(client) ? [] : await work.consents(key.userId, key.applicationId)
  consentedResources.set(ctx.oidc, new Set(consented.map(({ resource }) => resource)))

  const applicable = consented.filter((row) => row.scope !== '' && isIn(missing, row))
  if (applicable.length === 0) {
    if (wasReduced) await stored?.save()
    return stored
  }
  const grant = stored ?? newGrant(provider, { account, client, session })
  for (const { resource, scope } of applicable) {
    if (resource === '') grant.addOIDCScope(scope)
    else grant.addResourceScope(resource, scope)
  }
  const grantId = await grant.save()
  work.add(deleteWithdrawnGrant(db, key, grantId))
  return grant
}

/**
 * Creates a grant. A revocation of the user's sessions treats it like the session in which it was created
 * (spec/provider#revocation).
 */
export function newGrant(
  provider: Provider,
  { account, client, session }: { account: Account; client: Client; session: Session },
): Grant {
  const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
  const { madeAt: iat, exemptedAt } = standingOfSession(session) ?? {}
  return Object.assign(grant, { iat, exemptedAt })
}

/**
 * The resources that the user has consented to, by request. They are kept here because the library drops resources
 * without a scope from grants.
 */
const consentedResources = new WeakMap<KoaContextWithOIDC['oidc'], ReadonlySet<string>>()

/** Returns whether the request names a resource that the user has not granted, not even without a scope. */
export const hasNewResource = (ctx: KoaContextWithOIDC): boolean =>
  ctx.oidc.client !== undefined &&
  isThirdParty(ctx.oidc.client) &&
  !isUnregistered(ctx.oidc.client) &&
  Object.keys(missingIn(ctx, ctx.oidc.grant).resources).some(
    (indicator) => !consentedResources.get(ctx.oidc)?.has(indicator),
  )

/**
 * Returns the details for the consent page of a third-party application. First-party applications need no consent, so
 * their prompt has no details.
 */
export function consentDetails(ctx: KoaContextWithOIDC): {
  asked?: ConsentRequest
  client?: RequestingClient
} {
  const { client, prompts, grant } = ctx.oidc
  if (!client || !isThirdParty(client)) return {}
  // Users are asked for everything again with `prompt=consent`, and always for native apps, which others can
  // impersonate (RFC 8252 §8.6).
  const asksForEverything =
    prompts.has('consent') || client.applicationType === 'native' || asksConsentEachTime(client)
  const details = {
    asked: asksForEverything ? requestedAccess(ctx) : withoutConsented(ctx, missingIn(ctx, grant)),
  }
  return isUnregistered(client) ? { ...details, client: requestingClient(ctx, client) } : details
}

type RequestingClient = ClientSnapshot & { isLocal: boolean }

/**
 * Returns the description of the client from its document at the time of the request, which the page shows and the
 * grant keeps.
 */
const requestingClient = (
  { oidc }: KoaContextWithOIDC,
  { clientId, clientName, logoUri }: Client,
): RequestingClient => ({
  ...toClientSnapshot({ id: clientId, name: clientName ?? clientId, logo: logoUri ?? null }),
  isLocal: isLoopbackRedirect(String(oidc.params?.redirect_uri ?? '')),
})

const withoutConsented = (
  { oidc }: KoaContextWithOIDC,
  { scopes, resources }: ConsentRequest,
): ConsentRequest => ({
  scopes,
  resources: Object.fromEntries(
    Object.entries(resources).filter(
      ([indicator, names]) => names.length > 0 || !consentedResources.get(oidc)?.has(indicator),
    ),
  ),
})

/**
 * Returns the scopes, claims and resources that the application requests. Of a resource's scopes, only those that the
 * user has through roles are included.
 */
function requestedAccess({ oidc }: KoaContextWithOIDC): ConsentRequest {
  const resources = Object.entries(oidc.resourceServers ?? {}).map(([indicator, server]) => [
    indicator,
    [...oidc.requestParamScopes].filter((scope) => server.scopes.has(scope)),
  ])
  return { scopes: [...oidc.requestParamOIDCScopes], resources: Object.fromEntries(resources) }
}

/**
 * Returns the requested scopes, claims and resources that the grant lacks. A resource is missing if the grant lacks one
 * of its scopes, or has none of them.
 */
function missingIn(ctx: KoaContextWithOIDC, grant: Grant | undefined): ConsentRequest {
  const { scopes, resources } = requestedAccess(ctx)
  const granted = new Set(grant?.getOIDCScope().split(' '))
  const missing = Object.entries(resources).flatMap(([indicator, names]) => {
    const grantedNames = new Set(grant?.getResourceScope(indicator).split(' ').filter(Boolean))
    const missingNames = names.filter((name) => !grantedNames.has(name))
    return missingNames.length > 0 || grantedNames.size === 0 ? [[indicator, missingNames]] : []
  })
  return { scopes: scopes.filter((scope) => !granted.has(scope)), resources: Object.fromEntries(missing) }
}

const isNothing = ({ scopes, resources }: ConsentRequest) =>
  scopes.length === 0 && Object.keys(resources).length === 0

const isIn = ({ scopes, resources }: ConsentRequest, { resource, scope }: ConsentRow): boolean =>
  (resource === '' ? scopes : (resources[resource] ?? [])).includes(scope)
