import { errors, type Grant, type KoaContextWithOIDC } from 'oidc-provider'
import { ORGANIZATION_URN, PERSONAL } from '../../contract/organisations/organizations.ts'
import type { TenantSettings } from '../../contract/tenants/settings.ts'
import {
  type ChosenOrganization,
  isOrganizationUrn,
  requestedOrganization,
} from '../../domain/organisations/chosen-organization.ts'
import type { ResourceRow } from '../../storage/access/resources.ts'
import { getProviderRequest } from '../request-context.ts'
import { organizationOfGrant, usesOrganizations } from './organization.ts'

/** Tokens for organisations (spec/organisations#claims). The organisation of a token is that of its grant. */

type Oidc = KoaContextWithOIDC['oidc']

export type OrganizationSettings = () => Promise<Pick<TenantSettings, 'organizations'>>

/** The longest lifetime of the access tokens of a request, in seconds. */
const lifetimeLimits = new WeakMap<Oidc, number>()

/** Returns the lifetime of an access token, which is shorter if it is for an organisation. */
export const limitLifetime = ({ oidc }: KoaContextWithOIDC, seconds: number): number =>
  Math.min(seconds, lifetimeLimits.get(oidc) ?? seconds)

/**
 * Limits a token request to what the user's roles in the organisation of the grant include now. The scopes are removed
 * from the loaded grant only, so that they are back if the user gets the role back. Throws if an operator has decided
 * since then that the application uses no organisations.
 */
export async function limitToOrganization(
  ctx: KoaContextWithOIDC,
  settings: OrganizationSettings,
): Promise<void> {
  const { client } = ctx.oidc
  const { Grant: grant } = ctx.oidc.entities
  const organizationId = organizationOfGrant(grant)
  if (ctx.oidc.route !== 'token' || !client || !grant?.accountId || organizationId === undefined) return
  if (!usesOrganizations(client))
    throw new errors.InvalidGrant('the application no longer uses organizations')
  lifetimeLimits.set(ctx.oidc, (await settings()).organizations.accessTokenTtl)
  await reduceToMember(grant, { userId: grant.accountId, organizationId })
}

async function reduceToMember(grant: Grant, member: { userId: string; organizationId: string }) {
  const { work } = getProviderRequest()
  const current = await Promise.all(
    Object.entries(grant.resources ?? {}).map(async ([indicator, granted]) => {
      const scopes = await work.memberScopes(member, indicator)
      return [
        indicator,
        granted
          .split(' ')
          .filter((name) => scopes.includes(name))
          .join(' '),
      ] as const
    }),
  )
  // The library can add scopes to a grant or reject them permanently, but cannot remove them.
  Object.assign(grant, { resources: Object.fromEntries(current) })
}

/** Returns the organisation as a resource: the audience of tokens for the organisation itself. */
export const toOrganizationResource = (indicator: string): ResourceRow => ({
  tenantId: getProviderRequest().tenantId,
  id: indicator,
  name: indicator,
  indicator,
  accessTokenTtl: Number.POSITIVE_INFINITY,
  claims: null,
})

const organizationsOfMachines = new WeakMap<Oidc, string>()

/** Returns for whom an application requests a token with its own credentials: an organisation, or itself. */
export async function organizationOfMachine(
  ctx: KoaContextWithOIDC,
  settings: OrganizationSettings,
): Promise<ChosenOrganization> {
  const { oidc } = ctx
  const { params, body } = oidc
  const { requested, problem } = requestedOrganization({
    parameter: body?.organization,
    scopes: oidc.requestParamScopes,
    resources: [params?.resource ?? []].flat().filter((name) => typeof name === 'string'),
  })
  if (problem !== undefined) throw new errors.InvalidRequest(problem)
  if (params)
    params.scope =
      [...oidc.requestParamScopes].filter((name) => !isOrganizationUrn(name)).join(' ') || undefined
  if (requested === undefined || requested === PERSONAL) return { kind: 'personal' }
  lifetimeLimits.set(oidc, (await settings()).organizations.accessTokenTtl)
  organizationsOfMachines.set(oidc, requested)
  return { kind: 'organization', id: requested }
}

/** Returns the resource of a request for an application's own token that names none: the organisation itself, if any. */
export async function defaultResourceOfMachine(
  ctx: KoaContextWithOIDC,
  settings: OrganizationSettings,
): Promise<string> {
  const chosen = await organizationOfMachine(ctx, settings)
  return chosen.kind === 'organization' ? ORGANIZATION_URN + chosen.id : ''
}

export const notInOrganization = () =>
  new errors.AccessDenied('the application does not belong to the requested organization')

/** Returns the organisation of the tokens that a request issues. */
export const organizationOfTokens = ({ oidc }: KoaContextWithOIDC): string | undefined =>
  organizationOfGrant(oidc.entities.Grant) ?? organizationsOfMachines.get(oidc)
