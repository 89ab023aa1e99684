import type { Account, Client, Grant, KoaContextWithOIDC, Provider, Session } from 'oidc-provider'
import type { ClientSnapshot } from '../../contract/applications/unregistered-clients.ts'
import { isLoopbackRedirect, toClientSnapshot } from '../../domain/applications/client-document.ts'
import type { ConsentRequest } from '../../domain/applications/consent.ts'
import { type ConsentRow, deleteWithdrawnGrant } from '../../storage/applications/consents.ts'
import type { Database } from '../../storage/database.ts'
import { getProviderRequest } from '../request-context.ts'
import { sessionValidityTimes } from '../sessions/exemptions.ts'
import { isUnregistered } from './unregistered-clients.ts'

/** Decides what third-party applications are granted and what users have to consent to (spec/provider#consent). */

export const isThirdParty = (client: Client) => client.isThirdParty === true

/**
 * Reports whether users have to consent at each sign-in. They do if no operator has reviewed the client's description
 * of itself.
 */
export const requiresConsentEachTime = (client: Client) =>
  isUnregistered(client) || client.isDynamicallyRegistered === true

/**
 * Returns a grant of everything that the user has consented to, now or earlier. Consents are looked up only if the
 * stored grant lacks scopes.
 */
export async function loadThirdPartyGrant(
  db: Database,
  ctx: KoaContextWithOIDC,
  { stored, wasReduced }: { stored: Grant | undefined; wasReduced: boolean },
): Promise<Grant | undefined> {
  const { session, client, account, provider } = ctx.oidc
  if (!session || !client || !account) return undefined
  const missing = missingIn(ctx, stored)
  const { tenantId, work } = getProviderRequest()
  const key = { tenantId, userId: account.accountId, applicationId: client.clientId }
  // A consent to an unregistered client is recorded only in the grant.
  const consented =
    isNothing(missing) || isUnregistered(client) ? [] : await work.consents(key.userId, key.applicationId)
  consentedResources.set(ctx.oidc, new Set(consented.map(({ resource }) => resource)))

  const applicable = consented.filter((row) => row.scope !== '' && isIn(missing, row))
  if (applicable.length === 0) {
    if (wasReduced) await stored?.save()
    return stored
  }
  const grant = stored ?? createGrant(provider, { account, client, session })
  for (const { resource, scope } of applicable) {
    if (resource === '') grant.addOIDCScope(scope)
    else grant.addResourceScope(resource, scope)
  }
  const grantId = await grant.save()
  work.add(deleteWithdrawnGrant(db, key, grantId))
  return grant
}

/**
 * Creates a grant with the sign-in time of its session, which is compared with the time of a revocation
 * (spec/provider#revocation).
 */
export function createGrant(
  provider: Provider,
  { account, client, session }: { account: Account; client: Client; session: Session },
): Grant {
  const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
  const { madeAt: iat, exemptedAt } = sessionValidityTimes(session) ?? {}
  return Object.assign(grant, { iat, exemptedAt })
}

/**
 * The resources that the user has consented to, keyed by request. The library does not keep resources without scopes in
 * grants.
 */
const consentedResources = new WeakMap<KoaContextWithOIDC['oidc'], ReadonlySet<string>>()

/** Reports whether the request names a resource that the user has not granted at all, even without scopes. */
export const hasNewResource = (ctx: KoaContextWithOIDC): boolean =>
  ctx.oidc.client !== undefined &&
  isThirdParty(ctx.oidc.client) &&
  !isUnregistered(ctx.oidc.client) &&
  Object.keys(missingIn(ctx, ctx.oidc.grant).resources).some(
    (indicator) => !consentedResources.get(ctx.oidc)?.has(indicator),
  )

/** Returns the details that a third-party application's consent page shows, or none for a first-party application. */
export function consentDetails(ctx: KoaContextWithOIDC): {
  asked?: ConsentRequest
  client?: RequestingClient
} {
  const { client, prompts, grant } = ctx.oidc
  if (!client || !isThirdParty(client)) return {}
  // With `prompt=consent`, and always for native apps, users have to consent to everything again. Native apps can be
  // impersonated by other apps (RFC 8252 §8.6).
  const asksForEverything =
    prompts.has('consent') || client.applicationType === 'native' || requiresConsentEachTime(client)
  const details = {
    asked: asksForEverything ? requestedAccess(ctx) : withoutConsented(ctx, missingIn(ctx, grant)),
  }
  return isUnregistered(client) ? { ...details, client: requestingClient(ctx, client) } : details
}

type RequestingClient = ClientSnapshot & { isLocal: boolean }

/**
 * Returns the client's current description of itself, from its metadata document. The consent page shows this
 * description, and the grant stores it.
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
 * Returns the scopes, claims and resources that the application requests. A resource's scopes are limited to those that
 * the user's roles include.
 */
function requestedAccess({ oidc }: KoaContextWithOIDC): ConsentRequest {
  const resources = Object.entries(oidc.resourceServers ?? {}).map(([indicator, server]) => [
    indicator,
    [...oidc.requestParamScopes].filter((scope) => server.scopes.has(scope)),
  ])
  return { scopes: [...oidc.requestParamOIDCScopes], resources: Object.fromEntries(resources) }
}

/**
 * Returns the requested scopes, claims and resources that the grant lacks. This includes resources of which the grant
 * lacks a scope, and resources without scopes.
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
