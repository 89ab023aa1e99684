import type { Client, KoaContextWithOIDC, Session } from 'oidc-provider'
import { isRecord } from '../../contract/is-record.ts'
import type { TenantSettings } from '../../contract/tenants/settings.ts'
import { isOperatorScope } from '../../domain/access/administration.ts'
import { reachesLevel } from '../../domain/interactions/authentication.ts'

/**
 * If the tenant requires a second factor of administrators, tokens with the scopes that make a user an administrator
 * are issued only for sign-ins of which it was required. A user who becomes an administrator during a session with one
 * factor has to sign in again (spec/accounts#administrators-policy).
 */

export type FactorSettings = () => Promise<Pick<TenantSettings, 'administratorsNeedSecondFactor'>>

const hasTwoFactors = ({ acr }: { acr?: string | undefined }) => reachesLevel(acr, 'urn:vestibule:acr:2fa')

/** Reports whether the user has to sign in again, because an authorization request names scopes of administrators. */
export const needsAdministratorFactor =
  (settings: FactorSettings) =>
  async ({ oidc }: KoaContextWithOIDC): Promise<boolean> => {
    const { session, client, result, resourceServers = {}, requestParamScopes } = oidc
    const isAdministrative = Object.entries(resourceServers).some(([indicator, server]) =>
      [...requestParamScopes].some((name) => server.scopes.has(name) && isOperatorScope(indicator, name)),
    )
    if (!isAdministrative || !session?.accountId || !client || hasTwoFactors(session)) return false
    const login: unknown = result?.login
    if (isRecord(login) && login.metRequirement === true) recordRequirement(session, client)
    return (await settings()).administratorsNeedSecondFactor && !meetsRequirement(session, client)
  }

/**
 * Reports whether a code or refresh token must not result in a token with these scopes. Its sign-in may have used only
 * one factor, from before the requirement.
 */
export async function lacksAdministratorFactor(
  { oidc }: KoaContextWithOIDC,
  { indicator, client, settings }: { indicator: string; client: Client; settings: FactorSettings },
): Promise<boolean> {
  const { AuthorizationCode, DeviceCode, RefreshToken, Grant } = oidc.entities
  const source = AuthorizationCode ?? DeviceCode ?? RefreshToken
  if (!source || !Grant || hasTwoFactors(source)) return false
  const isAdministrative = Grant.getResourceScope(indicator)
    .split(' ')
    .some((name) => source.scopes.has(name) && isOperatorScope(indicator, name))
  if (!isAdministrative || !(await settings()).administratorsNeedSecondFactor) return false
  const session = source.sessionUid && (await oidc.provider.Session.findByUid(source.sessionUid))
  // If the request asked for one factor, the code has that level, although the session may have two.
  return !session || session.loginTs !== source.authTime || !meetsRequirement(session, client)
}

/**
 * Records in the session that the requirement applied to its sign-in. The library saves the session after a sign-in.
 */
function recordRequirement(session: Session, { clientId }: Client): void {
  session.ensureClientContainer(clientId)
  Object.assign(session.authorizationFor(clientId), { metRequirementAt: session.loginTs })
}

/** Checks whether the sign-in of a session used two factors, or was accepted while they were required. */
const meetsRequirement = (session: Session, { clientId }: Client): boolean =>
  hasTwoFactors(session) ||
  Reflect.get(session.authorizationFor(clientId), 'metRequirementAt') === session.loginTs
