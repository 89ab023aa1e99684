import type { Account, Client, Grant, KoaContextWithOIDC, Provider, Session } from 'oidc-provider'
import type { ClientSnapshot } from '../../contract/applications/unregistered-clients.ts'
import type { DeviceRequest } from '../../contract/sessions/device.ts'
import { isLoopbackRedirect, toClientSnapshot } from '../../domain/applications/client-document.ts'
import { type ConsentRequest, grantedPart } from '../../domain/applications/consent.ts'
import { deleteWithdrawnGrant } from '../../storage/applications/consents.ts'
import type { Database } from '../../storage/database.ts'
import { missingClaims, requestedClaims } from '../access/claims.ts'
import { chosenMembership, usesOrganizations } from '../access/organization.ts'
import { getProviderRequest } from '../request-context.ts'
import { deviceRequest } from '../sessions/device-flow.ts'
import { sessionValidityTimes } from '../sessions/exemptions.ts'
import { isUnregistered } from './unregistered-clients.ts'

/** Decides what third-party applications are granted and what users have to consent to (spec/provider#consent). */

export const isThirdParty = (client: Client) => client.isThirdParty === true

/**
 * The clients whose users have to consent at each sign-in, because no operator has reviewed the client's description of
 * itself, and anybody can send its id. A client that registered itself with credentials keeps its consents: only the
 * client that the user allowed can redeem a code, and a change of its credentials' kind or of where codes are sent ends
 * the consents (ADR-0170).
 */
export const consentEachTime = [
  {
    reason: 'unregistered_client',
    description: 'unregistered clients require consent each time',
    applies: isUnregistered,
  },
  {
    reason: 'public_registered_client',
    description: 'public clients that registered themselves require consent each time',
    applies: (client: Client) =>
      client.isDynamicallyRegistered === true && client.clientAuthMethod === 'none',
  },
] as const

const requiresConsentEachTime = (client: Client) => consentEachTime.some(({ applies }) => applies(client))

type StoredGrant = { stored: Grant | undefined; wasReduced: boolean; organizationId: string | undefined }

/**
 * Returns a grant of everything that the user has consented to, now or earlier. Consents are looked up only if the
 * stored grant lacks scopes.
 */
export async function loadThirdPartyGrant(
  db: Database,
  ctx: KoaContextWithOIDC,
  { stored, wasReduced, organizationId }: StoredGrant,
): Promise<Grant | undefined> {
  const { session, client, account, provider } = ctx.oidc
  if (!session || !client || !account) return undefined
  const missing = missingIn(ctx, stored)
  const { tenantId, work } = getProviderRequest()
  const key = { tenantId, userId: account.accountId, applicationId: client.clientId }
  // A consent to an unregistered client, or for an organisation, is recorded only in the grant.
  const isOnlyInGrant = isUnregistered(client) || organizationId !== undefined
  const consented =
    isNothing(missing) || isOnlyInGrant ? [] : await work.consents(key.userId, key.applicationId)
  consentedResources.set(ctx.oidc, new Set(consented.map(({ resource }) => resource)))

  const applicable = grantedPart(missing, consented)
  if (isNothing(applicable)) {
    if (wasReduced) await stored?.save()
    return stored
  }
  const grant = stored ?? createGrant(provider, { account, client, session, organizationId })
  if (applicable.scopes.length > 0) grant.addOIDCScope(applicable.scopes.join(' '))
  if (applicable.claims.length > 0) grant.addOIDCClaims([...applicable.claims])
  for (const [resource, scopes] of Object.entries(applicable.resources))
    grant.addResourceScope(resource, scopes.join(' '))
  const grantId = await grant.save()
  work.add(deleteWithdrawnGrant(db, key, grantId))
  return grant
}

type NewGrant = {
  account: Account
  client: Client
  session: Session
  /** The organisation for which the user acts, or undefined if for none. */
  organizationId: string | undefined
}

/**
 * Creates a grant with the sign-in time of its session, which is compared with the time of a revocation
 * (spec/provider#revocation), and with the session's uid, because the grant ends with the session if the user ends it.
 */
export function createGrant(
  provider: Provider,
  { account, client, session, organizationId }: NewGrant,
): Grant {
  const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
  const { madeAt: iat, exemptedAt } = sessionValidityTimes(session) ?? {}
  return Object.assign(grant, {
    ...{ iat, exemptedAt, sessionUid: session.uid, organizationId },
    ...(usesOrganizations(client) && { endsWithSession: true }),
  })
}

/**
 * The resources that the user has consented to, keyed by request. The library does not keep resources without scopes in
 * grants.
 */
const consentedResources = new WeakMap<KoaContextWithOIDC['oidc'], ReadonlySet<string>>()

/** Reports whether the request names a resource that the user has not granted at all, even without scopes. */
export const hasNewResource = async (ctx: KoaContextWithOIDC): Promise<boolean> =>
  ctx.oidc.client !== undefined &&
  isThirdParty(ctx.oidc.client) &&
  !isUnregistered(ctx.oidc.client) &&
  (await chosenMembership(ctx)) === undefined &&
  Object.keys(missingIn(ctx, ctx.oidc.grant).resources).some(
    (indicator) => !consentedResources.get(ctx.oidc)?.has(indicator),
  )

/**
 * Returns the details that the consent page shows: those of a third-party application or of a device, or none for a
 * first-party application.
 */
export async function consentDetails(ctx: KoaContextWithOIDC): Promise<ConsentPromptDetails> {
  const { client, prompts, grant } = ctx.oidc
  const device = deviceRequest(ctx)
  const organization = await chosenMembership(ctx)
  if (!client || !(device || isThirdParty(client))) return {}
  // With `prompt=consent`, and always for native apps and devices, users have to consent to everything again. Native
  // apps can be impersonated by other apps (RFC 8252 §8.6).
  const asksForEverything =
    device !== undefined ||
    prompts.has('consent') ||
    client.applicationType === 'native' ||
    requiresConsentEachTime(client)
  const details = {
    asked: asksForEverything ? requestedAccess(ctx) : withoutConsented(ctx, missingIn(ctx, grant)),
    ...(device && { device }),
    ...(usesOrganizations(client) && { endsWithSession: true as const }),
    ...(organization && { organization: { id: organization.id, name: organization.name } }),
    ...(!isThirdParty(client) && { isFirstParty: true as const }),
  }
  if (isUnregistered(client)) return { ...details, client: requestingClient(ctx, client) }
  if (!client.isDynamicallyRegistered) return details
  const { registeredAuthMethod: authMethod, redirectUris = [] } = client
  return { ...details, registered: { authMethod, redirectUris } }
}

type ConsentPromptDetails = {
  asked?: ConsentRequest
  client?: RequestingClient
  device?: DeviceRequest
  isFirstParty?: true
  endsWithSession?: true
  /** The organisation for which the application acts, if the user has chosen one. */
  organization?: { id: string; name: string }
  registered?: { authMethod: unknown; redirectUris: readonly string[] }
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
  { scopes, claims, resources }: ConsentRequest,
): ConsentRequest => ({
  scopes,
  claims,
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
function requestedAccess(ctx: KoaContextWithOIDC): ConsentRequest {
  const { oidc } = ctx
  const resources = Object.entries(oidc.resourceServers ?? {}).map(([indicator, server]) => [
    indicator,
    [...oidc.requestParamScopes].filter((scope) => server.scopes.has(scope)),
  ])
  return {
    scopes: [...oidc.requestParamOIDCScopes],
    claims: requestedClaims(ctx),
    resources: Object.fromEntries(resources),
  }
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
  return {
    scopes: scopes.filter((scope) => !granted.has(scope)),
    claims: missingClaims(ctx, grant),
    resources: Object.fromEntries(missing),
  }
}

const isNothing = ({ scopes, claims, resources }: ConsentRequest) =>
  scopes.length + claims.length + Object.keys(resources).length === 0
