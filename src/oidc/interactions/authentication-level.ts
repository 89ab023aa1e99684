import { type AccessToken, type ClientCredentials, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { isAuthenticationLevel, reachesLevel } from '../../domain/interactions/authentication.ts'
import { resourcesOfOpaque } from '../access/subject-token.ts'
import { claimsOfExchange } from '../access/token-exchange.ts'

/**
 * Whether a request asks for a stronger sign-in than that of the session (spec/provider#authentication-levels, ADR-0081). A level that
 * the sign-in just made does not reach either, or that does not exist, is refused: nothing on a page could change that.
 */
export function needsStrongerSignIn({ oidc }: KoaContextWithOIDC): boolean {
  const levels = wantedLevels(oidc)
  if (!levels || !oidc.session?.accountId) return false
  const supported = levels.filter(isAuthenticationLevel)
  const reached = supported.find((level) => reachesLevel(oidc.session?.acr, level))
  if (reached !== undefined) {
    // The one that was asked for, although the session may have a stronger one (OIDC Core §5.5.1.1).
    Object.defineProperty(oidc, 'acr', { value: reached })
    return false
  }
  if (oidc.result?.login) throw unmet('the sign-in does not reach the requested level')
  return true
}

/**
 * An application that asks for more than the tenant (spec/accounts#second-factor-policy, #never-remembered): of a session with one factor,
 * the sign-in must have been decided by that policy. A sign-in elsewhere was not.
 */
export function needsSignInByPolicy({ oidc }: KoaContextWithOIDC): boolean {
  const { session, client, result } = oidc
  const policy = client?.secondFactorPolicy
  const isNeverRemembered = client?.rememberDays === 0
  if (!session?.accountId || !client || !(typeof policy === 'string' || isNeverRemembered)) return false
  const sessionOfClient = session.authorizationFor(client.clientId)
  const decided = `${policy ?? ''}${isNeverRemembered ? ' each' : ''} ${session.loginTs}`
  if (result?.login) {
    // Kept with the session, which the library saves after a sign-in.
    session.ensureClientContainer(client.clientId)
    Object.assign(session.authorizationFor(client.clientId), { decided })
    return false
  }
  return (
    !reachesLevel(session.acr, 'urn:vestibule:acr:2fa') && Reflect.get(sessionOfClient, 'decided') !== decided
  )
}

/** Before any page: no sign-in reaches a level that does not exist. */
export function refuseUnknownLevels({ oidc }: KoaContextWithOIDC): false {
  const levels = wantedLevels(oidc)
  if (levels && !levels.some(isAuthenticationLevel)) throw unmet('no requested level is supported')
  return false
}

const unmet = (description: string) => new errors.UnmetAuthenticationRequirements(description)

/** The levels of which one has to be reached: those of `acr_values`, or of an essential claim (OIDC Core §5.5.1.1). */
function wantedLevels({ params, claims }: KoaContextWithOIDC['oidc']): readonly unknown[] | null {
  const acr = claims?.id_token?.acr
  const isAsked = typeof params?.acr_values === 'string' || acr?.essential === true
  if (!isAsked || !acr) return null
  const values = acr.values ?? (acr.value === undefined ? [] : [acr.value])
  if (!Array.isArray(values)) throw new errors.InvalidRequest('invalid claims.id_token.acr.values type')
  return values.length > 0 ? values : null
}

/**
 * What an access token says about the sign-in behind it: a JWT all of it (RFC 9068 §2.2.1), an opaque one its time and its
 * level, by which it is a step-up (spec/accounts#recent-verification), and what it stands for in an exchange. A refresh
 * changes nothing of the sign-in.
 */
export function authenticationClaims(ctx: KoaContextWithOIDC, token: AccessToken | ClientCredentials) {
  const exchanged = claimsOfExchange(token)
  if (exchanged) return exchanged
  const { AuthorizationCode, DeviceCode, RefreshToken } = ctx.oidc.entities
  const source = AuthorizationCode ?? DeviceCode ?? RefreshToken
  if (!source) return
  if (!token.resourceServer)
    return { auth_time: source.authTime, acr: source.acr, ...resourcesOfOpaque(ctx, source) }
  return { auth_time: source.authTime, acr: source.acr, amr: source.amr, grant_id: source.grantId }
}
