import { type Client, errors, type Grant, type KoaContextWithOIDC } from 'oidc-provider'
import { isClientUrl } from '../../contract/applications/unregistered-clients.ts'
import { isRecord } from '../../contract/is-record.ts'
import {
  type OrganizationMode,
  organizationModes,
  PERSONAL,
  SELECT_ORGANIZATION,
} from '../../contract/organisations/organizations.ts'
import { isBuiltInResource } from '../../domain/applications/resource-access.ts'
import {
  type ChosenOrganization,
  chooseOrganization,
  findOrganizationProblem,
  isOrganizationUrn,
  requestedOrganization,
} from '../../domain/organisations/chosen-organization.ts'
import type { MembershipRow } from '../interactions/organization-facts.ts'
import { getProviderRequest } from '../request-context.ts'
import { resolveResourceAlias } from './own-apis.ts'

/** The organisation for which a user acts in an authorization request (spec/organisations#flow, ADR-0193). */

type Metadata = { readonly [name: string]: unknown }

/**
 * Returns how a client uses organisations. No operator has set this for clients that registered themselves or have only
 * a metadata document, so their users may act for an organisation.
 */
export function organizationModeOf(clientId: string, metadata: Metadata | undefined): OrganizationMode {
  const mode = organizationModes.find((each) => each === metadata?.organizationMode)
  const hasNoOperator = isClientUrl(clientId) || metadata?.isDynamicallyRegistered === true
  return mode ?? (hasNoOperator ? 'optional' : 'none')
}

/**
 * Reports whether one session can have several grants of a client, one for each organisation. The library would end the
 * tokens of the others, so these grants end with their session by themselves (spec/organisations#switching).
 */
export const usesOrganizations = (client: Client): boolean =>
  organizationModeOf(client.clientId, client) !== 'none'

/**
 * Moves the name of the organisation into the parameter `organization`, whichever way the application has used, so that
 * the interaction and a pushed request keep it. Rejects what no user could be authorized for, before any page is shown.
 * A request for a built-in resource is personal unless it names an organisation.
 */
export function normalizeOrganization({ oidc }: KoaContextWithOIDC): void {
  const { params, client, prompts } = oidc
  if (!params || !client) return
  const resources = [params.resource ?? []].flat().filter((name) => typeof name === 'string')
  const scopes = [...oidc.requestParamScopes]
  const { requested, problem } = requestedOrganization({
    parameter: params.organization,
    scopes,
    resources,
  })
  if (problem !== undefined) throw new errors.InvalidRequest(problem)
  const mode = organizationModeOf(client.clientId, client)
  const refusal = findOrganizationProblem({ mode, requested, prompts: prompts.has(SELECT_ORGANIZATION) })
  if (refusal !== null) throw new errors.InvalidRequest(refusal)
  const isForBuiltIn = resources.some((name) => isBuiltInResource(resolveResourceAlias(name)))
  const isPersonal = mode === 'optional' && isForBuiltIn && !prompts.has(SELECT_ORGANIZATION)
  params.organization = requested ?? (isPersonal ? PERSONAL : undefined)
  if (scopes.some(isOrganizationUrn))
    params.scope = scopes.filter((scope) => !isOrganizationUrn(scope)).join(' ') || undefined
}

const choices = new WeakMap<KoaContextWithOIDC['oidc'], Promise<ChosenOrganization>>()

/**
 * Returns for which organisation the session's user acts in this authorization request. The decision is made once per
 * request, from rows that are read together with its session or interaction.
 */
export function organizationOfRequest(ctx: KoaContextWithOIDC): Promise<ChosenOrganization> {
  const choice = choices.get(ctx.oidc) ?? choose(ctx)
  choices.set(ctx.oidc, choice)
  return choice
}

async function choose(ctx: KoaContextWithOIDC): Promise<ChosenOrganization> {
  normalizeOrganization(ctx)
  const { oidc } = ctx
  const { client, session, params, result } = oidc
  const userId = session?.accountId
  const mode = client ? organizationModeOf(client.clientId, client) : 'none'
  if (userId === undefined || mode === 'none') return { kind: 'personal' }
  const requested = textOf(params?.organization)
  const memberships =
    requested === PERSONAL ? [] : await getProviderRequest().work.memberships(userId, requested)
  const chosen: unknown = result?.[SELECT_ORGANIZATION]
  return chooseOrganization({
    mode,
    requested,
    prompts: oidc.prompts.has(SELECT_ORGANIZATION),
    memberships: memberships.map(({ id }) => id),
    current: await currentOrganization(ctx),
    choice: isRecord(chosen) ? textOf(chosen.organizationId) : undefined,
  })
}

/** Returns the organisation of the session's grant for the application, `personal`, or undefined without a grant. */
async function currentOrganization(ctx: KoaContextWithOIDC): Promise<string | undefined> {
  const grant = await findSessionGrant(ctx)
  return grant && (organizationOfGrant(grant) ?? PERSONAL)
}

/** Returns the grant of the consent that the user has just given, or the one that the application has in the session. */
export async function findSessionGrant({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { session, client, provider, result } = oidc
  const grantId = result?.consent?.grantId ?? (client && session?.grantIdFor(client.clientId))
  return grantId ? provider.Grant.find(grantId) : undefined
}

/** Returns the membership under which the user acts in this authorization request, if for an organisation. */
export async function chosenMembership(ctx: KoaContextWithOIDC): Promise<MembershipRow | undefined> {
  const chosen = await organizationOfRequest(ctx)
  const userId = ctx.oidc.session?.accountId
  if (chosen.kind !== 'organization' || userId === undefined) return undefined
  const requested = textOf(ctx.oidc.params?.organization)
  const memberships = await getProviderRequest().work.memberships(userId, requested)
  return memberships.find(({ id }) => id === chosen.id)
}

/** Returns for whom a request gets tokens: as its grant says or, before there is one, as the user has chosen. */
export async function organizationOfUser(ctx: KoaContextWithOIDC): Promise<ChosenOrganization> {
  const { grant } = ctx.oidc
  if (!grant) return organizationOfRequest(ctx)
  const id = organizationOfGrant(grant)
  return id === undefined ? { kind: 'personal' } : { kind: 'organization', id }
}

/** Returns the organisation of a grant, or undefined if it is personal. */
export const organizationOfGrant = (grant: Grant | undefined): string | undefined =>
  grant && textOf(Reflect.get(grant, 'organizationId'))

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
