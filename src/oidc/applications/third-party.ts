import type { Account, Client, Grant, KoaContextWithOIDC, Provider, Session } from 'oidc-provider'
import type { ClientSnapshot } from '../../contract/applications/unregistered-clients.ts'
import { isLoopbackRedirect, toClientSnapshot } from '../../domain/applications/client-document.ts'
import type { ConsentRequest } from '../../domain/applications/consent.ts'
import { type ConsentRow, deleteWithdrawnGrant } from '../../storage/applications/consents.ts'
import type { Database } from '../../storage/database.ts'
import { providerRequest } from '../request-context.ts'
import { standingOf } from '../sessions/exemptions.ts'
import { isUnregistered } from './unregistered-clients.ts'

/** What applications of third parties are granted, and what is asked before (spec/provider#consent). */

export const isThirdParty = (client: Client) => client.isThirdParty === true

/** No operator has seen what it says of itself: its users are asked each time. */
export const isAskedEachTime = (client: Client) =>
  isUnregistered(client) || client.isDynamicallyRegistered === true

/**
 * What the user has granted before, in this session or in an earlier one. Only what the grant lacks is looked up among
 * the consents.
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
  // Of a client that is not registered nothing is remembered beside its grant.
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

/** A revocation judges the grant like the session it is made in (spec/provider#revocation). */
export function newGrant(
  provider: Provider,
  { account, client, session }: { account: Account; client: Client; session: Session },
): Grant {
  const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
  const { madeAt: iat, exemptedAt } = standingOf(session) ?? {}
  return Object.assign(grant, { iat, exemptedAt })
}

/** Resources without a scope are in no grant: the library drops them. By the request. */
const consentedResources = new WeakMap<KoaContextWithOIDC['oidc'], ReadonlySet<string>>()

/** A resource that the user has not granted, not even without a scope. */
export const hasNewResource = (ctx: KoaContextWithOIDC): boolean =>
  ctx.oidc.client !== undefined &&
  isThirdParty(ctx.oidc.client) &&
  !isUnregistered(ctx.oidc.client) &&
  Object.keys(missingIn(ctx, ctx.oidc.grant).resources).some(
    (indicator) => !consentedResources.get(ctx.oidc)?.has(indicator),
  )

/** For the page of a third party: what it asks for. A first party is asked nothing, and its prompt says nothing. */
export function consentDetails(ctx: KoaContextWithOIDC): {
  asked?: ConsentRequest
  client?: RequestingClient
} {
  const { client, prompts, grant } = ctx.oidc
  if (!client || !isThirdParty(client)) return {}
  // `prompt=consent` asks for everything, and so does an app, which others can impersonate (RFC 8252 §8.6).
  const asksForAll = prompts.has('consent') || client.applicationType === 'native' || isAskedEachTime(client)
  const details = { asked: asksForAll ? requested(ctx) : withoutConsented(ctx, missingIn(ctx, grant)) }
  return isUnregistered(client) ? { ...details, client: requestingClient(ctx, client) } : details
}

type RequestingClient = ClientSnapshot & { isLocal: boolean }

/** As its document was when it asked: the page shows that, and the grant keeps it. */
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

/** Of a resource those scopes that its user has through roles. */
function requested({ oidc }: KoaContextWithOIDC): ConsentRequest {
  const resources = Object.entries(oidc.resourceServers ?? {}).map(([indicator, server]) => [
    indicator,
    [...oidc.requestParamScopes].filter((scope) => server.scopes.has(scope)),
  ])
  return { scopes: [...oidc.requestParamOIDCScopes], resources: Object.fromEntries(resources) }
}

/** A resource is missing when a scope of it is, or when the grant has none of its scopes. */
function missingIn(ctx: KoaContextWithOIDC, grant: Grant | undefined): ConsentRequest {
  const { scopes, resources } = requested(ctx)
  const granted = new Set(grant?.getOIDCScope().split(' '))
  const missing = Object.entries(resources).flatMap(([indicator, names]) => {
    const grantedNames = new Set(grant?.getResourceScope(indicator).split(' ').filter(Boolean))
    const left = names.filter((name) => !grantedNames.has(name))
    return left.length > 0 || grantedNames.size === 0 ? [[indicator, left]] : []
  })
  return { scopes: scopes.filter((scope) => !granted.has(scope)), resources: Object.fromEntries(missing) }
}

const isNothing = ({ scopes, resources }: ConsentRequest) =>
  scopes.length === 0 && Object.keys(resources).length === 0

const isIn = ({ scopes, resources }: ConsentRequest, { resource, scope }: ConsentRow): boolean =>
  (resource === '' ? scopes : (resources[resource] ?? [])).includes(scope)
