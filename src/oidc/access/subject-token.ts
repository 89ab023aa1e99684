import { type JWTPayload, errors as joseErrors, jwtVerify } from 'jose'
import type { AuthorizationCode, DeviceCode, Grant, KoaContextWithOIDC, RefreshToken } from 'oidc-provider'
import { getKeySet } from '../../application/access/management-token.ts'
import { isRecord } from '../../contract/is-record.ts'
import { FAPI_ALGORITHM } from '../../domain/applications/fapi.ts'
import { isBuiltInResource } from '../../domain/applications/resource-access.ts'
import type { SigningKeys } from '../../storage/tenants/signing-keys.ts'
import { getProviderRequest } from '../request-context.ts'
import { organizationOfGrant } from './organization.ts'

/** A user's access token that is to be exchanged (spec/provider#token-exchange). The token is known to be active. */
export type SubjectToken = {
  userId: string
  clientId: string
  grantId: string
  /** The organisation of the grant, or undefined if it is personal. */
  organizationId: string | undefined
  /**
   * Returns the scopes that the user has granted the client at one resource. A scope of the same name at another
   * resource is a different permission.
   */
  scopesFor(indicator: string): readonly string[]
  /** The time at which the token expires, in epoch seconds. */
  expiresAt: number
  /** The thumbprint of the key to which the token is bound. */
  jkt: string | undefined
  act: unknown
  /** True if the token gives access to the roles of the user. */
  hasRoles: boolean
  /** The claims that describe the sign-in. */
  signIn: Record<string, unknown>
}

/**
 * Reads a subject token. Returns null if the token is unknown, expired or revoked, was issued by someone else or for
 * our own APIs, or belongs to an application rather than a user.
 */
export const readSubjectToken = (
  ctx: KoaContextWithOIDC,
  keys: SigningKeys,
  token: string,
): Promise<SubjectToken | null> => (token.includes('.') ? fromJwt(ctx, keys, token) : fromOpaque(ctx, token))

/**
 * Returns a claim with the scopes granted to one request, by resource. Opaque tokens need it because they have no
 * audience, and because their grant may include scopes from other requests by the same application.
 */
export function opaqueTokenResources(
  { oidc: { entities, params, requestParamScopes } }: KoaContextWithOIDC,
  source: AuthorizationCode | DeviceCode | RefreshToken,
): { resources?: Record<string, string> } {
  const isNarrowed = source === entities.RefreshToken && params?.scope !== undefined
  const allowed = isNarrowed ? requestParamScopes : source.scopes
  const resources = [source.resource ?? []].flat().flatMap((indicator) => {
    const scopes = split(entities.Grant?.getResourceScope(indicator)).filter((name) => allowed.has(name))
    return scopes.length > 0 ? [[indicator, scopes.join(' ')]] : []
  })
  return resources.length > 0 ? { resources: Object.fromEntries(resources) } : {}
}

async function fromOpaque(ctx: KoaContextWithOIDC, value: string): Promise<SubjectToken | null> {
  const { AccessToken } = ctx.oidc.provider
  const token = await AccessToken.find(value)
  if (!token?.clientId || !token.accountId || token.exp === undefined) return null
  const grant = await findActiveGrant(ctx, token.grantId, token.accountId)
  if (!grant || grant.clientId !== token.clientId) return null
  const { resources, auth_time, acr } = token.extra ?? {}
  const isOwn = (indicator: string, name: string) =>
    isRecord(resources) && split(resources[indicator]).includes(name)
  return {
    userId: token.accountId,
    clientId: token.clientId,
    grantId: token.grantId,
    organizationId: organizationOfGrant(grant),
    scopesFor: (indicator) =>
      split(grant.getResourceScope(indicator)).filter((name) => isOwn(indicator, name)),
    expiresAt: token.exp,
    jkt: token.jkt,
    act: undefined,
    hasRoles: token.scopes.has('roles') && split(grant.getOIDCScope()).includes('roles'),
    signIn: { auth_time, acr },
  }
}

async function fromJwt(
  ctx: KoaContextWithOIDC,
  keys: SigningKeys,
  value: string,
): Promise<SubjectToken | null> {
  const claims = await verifiedClaims(value, ctx.oidc.issuer, keys)
  const { sub, client_id: clientId, grant_id: grantId, aud, exp = 0, scope, cnf, act } = claims ?? {}
  if (!sub || typeof clientId !== 'string' || typeof grantId !== 'string') return null
  if (typeof aud !== 'string' || isBuiltInResource(aud)) return null
  const grant = await findActiveGrant(ctx, grantId, sub)
  if (!grant) return null
  const { auth_time, acr, amr } = claims ?? {}
  return {
    userId: sub,
    clientId,
    grantId,
    organizationId: organizationOfGrant(grant),
    scopesFor: (indicator) => split(indicator === aud ? scope : grant.getResourceScope(indicator)),
    expiresAt: exp,
    jkt: thumbprintIn(cnf),
    act,
    hasRoles: claims?.roles !== undefined,
    signIn: { auth_time, acr, amr },
  }
}

async function verifiedClaims(token: string, issuer: string, keys: SigningKeys): Promise<JWTPayload | null> {
  try {
    const { payload } = await jwtVerify(token, getKeySet(keys), {
      issuer,
      typ: 'at+jwt',
      algorithms: ['RS256', FAPI_ALGORITHM],
      requiredClaims: ['exp', 'iat'],
      currentDate: new Date(getProviderRequest().now()),
    })
    return payload
  } catch (error) {
    if (error instanceof joseErrors.JOSEError) return null
    throw error
  }
}

/**
 * Returns the grant, or null if it has ended: after a sign-out, a withdrawn consent, a revocation or the deletion of
 * the user.
 */
async function findActiveGrant(
  { oidc: { provider } }: KoaContextWithOIDC,
  id: string,
  userId: string,
): Promise<Grant | null> {
  const grant = await provider.Grant.find(id)
  return grant && grant.accountId === userId ? grant : null
}

/**
 * Returns the thumbprint of the key to which a token is bound. If the kind of binding is unknown, the thumbprint is
 * empty, so that no proof matches it.
 */
function thumbprintIn(cnf: unknown): string | undefined {
  if (cnf === undefined) return undefined
  const jkt: unknown = typeof cnf === 'object' && cnf !== null ? Reflect.get(cnf, 'jkt') : undefined
  return typeof jkt === 'string' ? jkt : ''
}

const split = (scope: unknown) => (typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [])
