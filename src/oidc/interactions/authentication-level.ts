import { type AccessToken, type ClientCredentials, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { isAuthenticationLevel, reachesLevel } from '../../domain/interactions/authentication.ts'
import { opaqueTokenResources } from '../access/subject-token.ts'
import { exchangedTokenClaims } from '../access/token-exchange.ts'
import { describePolicy, wasSubjectTo } from './sign-in-decision.ts'

/**
 * Reports whether a request requires a stronger sign-in than that of the session (spec/provider#authentication-levels,
 * ADR-0081). Throws if the requested level does not exist, or if the user has just signed in without reaching it,
 * because signing in again would not help.
 */
export function needsStrongerSignIn({ oidc }: KoaContextWithOIDC): boolean {
  const levels = requestedLevels(oidc)
  if (!levels || !oidc.session?.accountId) return false
  const supported = levels.filter(isAuthenticationLevel)
  const reached = supported.find((level) => reachesLevel(oidc.session?.acr, level))
  if (reached !== undefined) {
    // The token contains the requested level, even if that of the session is higher (OIDC Core §5.5.1.1).
    Object.defineProperty(oidc, 'acr', { value: reached })
    return false
  }
  if (oidc.result?.login) throw unmet('the sign-in does not reach the requested level')
  return true
}

/**
 * Reports whether the user has to sign in again because the application's policy is stricter than the tenant's
 * (spec/accounts#second-factor-policy, #never-remembered). A session with one factor is sufficient only if its sign-in
 * was already subject to the application's policy.
 */
export function policyRequiresSignIn({ oidc: { session, client } }: KoaContextWithOIDC): boolean {
  if (!session?.accountId || !client || describePolicy(client) === null) return false
  return !reachesLevel(session.acr, 'urn:vestibule:acr:2fa') && !wasSubjectTo(session, client)
}

type LevelRequest = Pick<KoaContextWithOIDC['oidc'], 'params' | 'claims'>

/** Rejects requests for unknown levels before a page is shown, because no sign-in can reach such a level. */
export function refuseUnknownLevels(request: LevelRequest): false {
  const levels = requestedLevels(request)
  if (levels && !levels.some(isAuthenticationLevel)) throw unmet('no requested level is supported')
  return false
}

/**
 * Rejects a device that requests unknown levels before it gets a code, because entering the code could only fail. The
 * library has validated the parameter `claims`, but not read it yet.
 */
export function refuseUnknownDeviceLevels({ oidc }: KoaContextWithOIDC): void {
  const { claims, acr_values: levels } = oidc.params ?? {}
  const { id_token: idToken } = typeof claims === 'string' ? JSON.parse(claims) : {}
  const acr = typeof levels === 'string' ? { values: levels.split(' ') } : idToken?.acr
  refuseUnknownLevels({ params: oidc.params, claims: { id_token: { acr } } })
}

const unmet = (description: string) => new errors.UnmetAuthenticationRequirements(description)

/**
 * Returns the levels in `acr_values` or in an essential claim, or null if the request names none. The sign-in must
 * reach one of them (OIDC Core §5.5.1.1).
 */
function requestedLevels({ params, claims }: LevelRequest): readonly unknown[] | null {
  const acr = claims?.id_token?.acr
  const isRequired = typeof params?.acr_values === 'string' || acr?.essential === true
  if (!isRequired || !acr) return null
  const values = acr.values ?? (acr.value === undefined ? [] : [acr.value])
  if (!Array.isArray(values)) throw new errors.InvalidRequest('invalid claims.id_token.acr.values type')
  return values.length > 0 ? values : null
}

/**
 * Returns the access token claims that describe the sign-in. JWTs have all of them (RFC 9068 §2.2.1). Opaque tokens
 * have the time and level, which step-up verification requires (spec/accounts#recent-verification), and the resources,
 * which token exchange requires. Refreshing a token does not change these claims.
 */
export function authenticationClaims(ctx: KoaContextWithOIDC, token: AccessToken | ClientCredentials) {
  const exchangedClaims = exchangedTokenClaims(token)
  if (exchangedClaims) return exchangedClaims
  const { AuthorizationCode, DeviceCode, RefreshToken } = ctx.oidc.entities
  const source = AuthorizationCode ?? DeviceCode ?? RefreshToken
  if (!source) return
  if (!token.resourceServer)
    return { auth_time: source.authTime, acr: source.acr, ...opaqueTokenResources(ctx, source) }
  return { auth_time: source.authTime, acr: source.acr, amr: source.amr, grant_id: source.grantId }
}
