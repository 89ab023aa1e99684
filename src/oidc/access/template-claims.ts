import type { Client, KoaContextWithOIDC, Provider, ResourceServer } from 'oidc-provider'
import type { ClaimTemplate } from '../../contract/applications/claim-template.ts'
import { countBytes } from '../../domain/applications/claim-template.ts'
import {
  areClaimsTooLarge,
  refersTo,
  resolveClaims,
  templateClaimId,
  toClaimSubject,
} from '../../domain/applications/template-claims.ts'
import { logEvent } from '../../storage/event-log.ts'
import type { UserRow } from '../../storage/users/users.ts'
import { getProviderRequest } from '../request-context.ts'

/** Adds the claims of templates to tokens and userinfo (spec/provider#claim-templates, ADR-0177). */

/** The templates of resources. The library's resource servers keep their key configuration, but no field of ours. */
const templates = new WeakMap<object, ClaimTemplate>()

/** Remembers the template of a resource, together with the configuration of its resource server. */
export function rememberTemplate(
  configuration: NonNullable<ResourceServer['jwt']>,
  template: ClaimTemplate | null,
): NonNullable<ResourceServer['jwt']> {
  if (template) templates.set(configuration, template)
  return configuration
}

const templateOfResource = ({ jwt }: ResourceServer): ClaimTemplate | undefined => jwt && templates.get(jwt)

const templateOfClient = (client: Client | undefined): ClaimTemplate | undefined =>
  client?.claimTemplate as ClaimTemplate | undefined

/**
 * Returns the names under which consents to the claims of templates are stored. First parties need no consent, so for
 * them the list is empty.
 */
export function templateClaimIds({ client, resourceServers }: KoaContextWithOIDC['oidc']): string[] {
  if (client?.isThirdParty !== true) return []
  const ofResources = Object.values(resourceServers ?? {}).flatMap((server) =>
    idsOf(templateOfResource(server), server.audience),
  )
  return [...idsOf(templateOfClient(client)), ...ofResources]
}

const idsOf = (template: ClaimTemplate = {}, indicator?: string) =>
  Object.entries(template).map(([name, value]) => templateClaimId(name, value, indicator))

/** Returns the part of a template that the client may receive: of a third party, what its user has consented to. */
function releasedPart(
  { client, entities }: KoaContextWithOIDC['oidc'],
  template: ClaimTemplate,
  indicator?: string,
): ClaimTemplate {
  if (client?.isThirdParty !== true) return template
  const granted = new Set(entities.Grant?.getOIDCClaims())
  return Object.fromEntries(
    Object.entries(template).filter(([name, value]) => granted.has(templateClaimId(name, value, indicator))),
  )
}

/** Returns the claims of the application's template for its ID tokens and userinfo. */
export async function applicationClaims(
  ctx: KoaContextWithOIDC,
  user: UserRow,
  scopes: readonly string[],
): Promise<ClaimTemplate> {
  const template = templateOfClient(ctx.oidc.client)
  return template ? claimsFor(ctx, releasedPart(ctx.oidc, template), { user, scopes }) : {}
}

/** Returns the claims of a resource's template for an access token. Without a user, only constants are returned. */
export async function resourceClaims(
  ctx: KoaContextWithOIDC,
  { resourceServer, scope, accountId }: ResourceToken,
): Promise<ClaimTemplate> {
  const template = resourceServer && templateOfResource(resourceServer)
  if (!resourceServer || !template) return {}
  // A machine acts for itself, so there is nobody who could consent, and the constants say nothing about anybody.
  if (accountId === undefined) return claimsFor(ctx, template, { user: null, scopes: [] })
  const user = await getProviderRequest().work.user(accountId)
  const released = releasedPart(ctx.oidc, template, resourceServer.audience)
  return claimsFor(ctx, released, { user, scopes: scope?.split(' ').filter(Boolean) ?? [] })
}

export type ResourceToken = {
  resourceServer?: ResourceServer | undefined
  scope?: string | undefined
  accountId?: string | undefined
}

/** The templates whose claims were left out of the tokens of a request because they were too large. */
export const omittedClaims = new WeakMap<KoaContextWithOIDC['oidc'], { names: string[]; size: number }[]>()

async function claimsFor(
  { oidc }: KoaContextWithOIDC,
  template: ClaimTemplate,
  { user, scopes }: { user: UserRow | null; scopes: readonly string[] },
): Promise<ClaimTemplate> {
  const { tenantId, work, requestId } = getProviderRequest()
  const roles = user && refersTo(template, 'roles') ? await work.roleNames(user.id) : []
  const claims = resolveClaims(template, user && toClaimSubject(user, { roles, scopes }))
  if (!areClaimsTooLarge(claims)) return claims
  // The values are personal data, so only the names of the claims are logged.
  const omitted = { names: Object.keys(claims), size: countBytes(claims) }
  omittedClaims.set(oidc, [...(omittedClaims.get(oidc) ?? []), omitted])
  const applicationId = oidc.client?.clientId
  logEvent('claims_omitted', { requestId, tenantId, applicationId, ...omitted })
  return {}
}

/** The key under which an account's claims contain those of a template, next to the claims that the library selects. */
const ADDED: unique symbol = Symbol('claims of a template')

export const withAddedClaims = <Claims extends object>(claims: Claims, added: ClaimTemplate): Claims =>
  Object.assign(claims, { [ADDED]: added })

/**
 * Adds the claims of a template to ID tokens and userinfo. The library itself returns only claims that a scope or the
 * parameter `claims` selects. Claims of the library take precedence. `available` is a property of the library that its
 * types do not declare; a test covers it.
 */
export function addTemplateClaims(provider: Provider): void {
  const { prototype } = provider.Claims
  const { result } = prototype
  prototype.result = async function withTemplate(this: InstanceType<Provider['Claims']>) {
    const { [ADDED]: added }: { [ADDED]?: ClaimTemplate } = Reflect.get(this, 'available')
    return { ...added, ...(await result.call(this)) }
  }
}
