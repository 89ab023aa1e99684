import type { Account, AccountClaims, Grant, KoaContextWithOIDC } from 'oidc-provider'
import { claimsBesideScopes } from '../../domain/applications/claims.ts'
import type { Database } from '../../storage/database.ts'
import { type UserRow, verifiedAddresses } from '../../storage/users/users.ts'
import { getProviderRequest } from '../request-context.ts'
import { organizationClaims } from './organization-claims.ts'
import { opaqueTokenResources } from './subject-token.ts'
import { applicationClaims, templateClaimIds, withAddedClaims } from './template-claims.ts'

/** Claims that userinfo returns but ID tokens omit, because they are large and rarely needed. */
const userinfoOnlyClaims = new Set(['custom_data', 'identities', 'organizations'])

/** Converts a user to the library's account. Claims without a value are omitted (OIDC Core §5.3.2). */
export function toProviderAccount(db: Database, user: UserRow, ctx: KoaContextWithOIDC): Account {
  return {
    accountId: user.id,
    async claims(use, scope, requested): Promise<AccountClaims> {
      const permissions = grantedScopes(ctx)
      const { sub, ...claims } = {
        ...claimsOf(user),
        ...(await roleClaims(user, scope, requested, permissions)),
        ...(await organizationClaims(db, ctx, { userId: user.id, use, scope, requested })),
      }
      const limit = use === 'id_token' ? idTokenClaimLimit(ctx) : undefined
      const entries = Object.entries(claims).filter(
        ([name, value]) =>
          hasValue(value) &&
          (use === 'userinfo' || !userinfoOnlyClaims.has(name)) &&
          (!limit || name === 'org_id' || Object.hasOwn(limit, name)),
      )
      const selected = { ...Object.fromEntries(entries), sub }
      if (limit) return selected
      const scopes = new Set(Object.values(permissions).flat())
      return withAddedClaims(selected, await applicationClaims(ctx, user, [...scopes]))
    },
  }
}

/**
 * Returns the claims that the parameter `claims` requests and the requested scopes do not include (OIDC Core §5.5).
 * They are granted like scopes (spec/provider#single-claims), and so are the claims that a third party gets by a
 * template.
 */
export const requestedClaims = ({ oidc }: KoaContextWithOIDC): string[] => [
  ...claimsBesideScopes(oidc.requestParamClaims, {
    scopes: oidc.requestParamOIDCScopes,
    allowed: oidc.client?.scope?.split(' '),
  }),
  ...templateClaimIds(oidc),
]

/** Returns the requested claims that the grant lacks. */
export function missingClaims(ctx: KoaContextWithOIDC, grant: Grant | undefined): string[] {
  const granted = new Set(grant?.getOIDCClaims())
  return requestedClaims(ctx).filter((claim) => !granted.has(claim))
}

/**
 * Returns the only scope claims that the ID token may contain: those that the parameter `claims` requests for it.
 * Returns undefined if there is no limit. The other claims are available from userinfo (OIDC Core §5.4), except with an
 * access token for a resource, which userinfo does not accept.
 */
function idTokenClaimLimit({ oidc }: KoaContextWithOIDC): object | undefined {
  const { AccessToken, AuthorizationCode, RefreshToken } = oidc.entities
  if (oidc.client?.idTokenClaims !== 'minimal' || !AccessToken || AccessToken.aud !== undefined)
    return undefined
  return (AuthorizationCode ?? RefreshToken)?.claims?.id_token ?? {}
}

/**
 * Returns the claims of the scope `roles`, which are read only if they are requested. Both are returned even if they
 * are empty, so that an application can tell a user without roles from a request without the scope.
 */
async function roleClaims(
  user: UserRow,
  scope: string,
  requested: object,
  permissions: Record<string, string[]>,
): Promise<{ roles?: readonly string[]; permissions?: Record<string, string[]> }> {
  const isRequested = [...scope.split(' '), ...Object.keys(requested)].some((name) =>
    ['roles', 'permissions'].includes(name),
  )
  return isRequested ? { roles: await getProviderRequest().work.roleNames(user.id), permissions } : {}
}

/** Returns the scopes that the request was granted, by resource. Access tokens for these resources contain them. */
function grantedScopes(ctx: KoaContextWithOIDC): Record<string, string[]> {
  const { AccessToken, AuthorizationCode, DeviceCode, RefreshToken } = ctx.oidc.entities
  const source = AuthorizationCode ?? DeviceCode ?? RefreshToken
  const { resources = {} }: { resources?: Record<string, string> } = source
    ? opaqueTokenResources(ctx, source)
    : { ...AccessToken?.extra }
  return Object.fromEntries(
    Object.entries(resources).map(([indicator, scope]) => [indicator, scope.split(' ')]),
  )
}

function claimsOf(user: UserRow) {
  const { primaryEmail, primaryPhone } = user
  const { address, ...profile } = user.profile
  const verified = verifiedAddresses(user)
  return {
    ...snakeCased(profile),
    sub: user.id,
    name: user.name,
    picture: user.avatar,
    username: user.username,
    preferred_username: user.username,
    address: address && snakeCased(address),
    updated_at: Math.floor((user.profileUpdatedAt ?? user.createdAt) / 1000),
    ...(primaryEmail && { email: primaryEmail, email_verified: verified.email }),
    // Phone numbers are stored without a plus sign, but claims use E.164 (OIDC Core §5.1).
    ...(primaryPhone && { phone_number: `+${primaryPhone}`, phone_number_verified: verified.phone }),
    custom_data: user.customData,
    identities: user.identities,
  }
}

const snakeCased = (values: object) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )

const hasValue = (value: unknown): boolean => value !== null && value !== undefined && value !== ''
