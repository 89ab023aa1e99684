import type { KoaContextWithOIDC, Session } from 'oidc-provider'
import type { TenantSettings } from '../../contract/tenants/settings.ts'
import { isOperatorScope } from '../../domain/access/administration.ts'
import { reachesLevel } from '../../domain/interactions/authentication.ts'
import { metRequirement } from '../interactions/sign-in-decision.ts'

/**
 * If the tenant requires a second factor of administrators, tokens with the scopes that make a user an administrator
 * are issued only for sign-ins of which it was required. A user who becomes an administrator during a session with one
 * factor has to sign in again (spec/accounts#administrators-policy).
 */

/** Reads the tenant's settings: from the cache, unless `fresh` is true. */
export type FactorSettings = (options?: {
  fresh?: boolean
}) => Promise<Pick<TenantSettings, 'administratorsNeedSecondFactor'>>

/** Reports whether the user has to sign in again, because an authorization request names scopes of administrators. */
export const needsAdministratorFactor =
  (settings: FactorSettings) =>
  async ({ oidc }: KoaContextWithOIDC): Promise<boolean> => {
    const { session, resourceServers = {}, requestParamScopes } = oidc
    const isAdministrative = Object.entries(resourceServers).some(([indicator, server]) =>
      [...requestParamScopes].some((name) => server.scopes.has(name) && isOperatorScope(indicator, name)),
    )
    if (!isAdministrative || !session?.accountId || meetsRequirement(session)) return false
    return (await isRequired(settings)) && isRequired(settings, { fresh: true })
  }

/**
 * Reports whether a code or refresh token must not result in a token with these scopes. Its sign-in may have used only
 * one factor, from before the requirement.
 */
export async function lacksAdministratorFactor(
  { oidc }: KoaContextWithOIDC,
  { indicator, settings }: { indicator: string; settings: FactorSettings },
): Promise<boolean> {
  const { AuthorizationCode, DeviceCode, RefreshToken, Grant } = oidc.entities
  const source = AuthorizationCode ?? DeviceCode ?? RefreshToken
  if (!source || !Grant || hasTwoFactors(source)) return false
  const isAdministrative = Grant.getResourceScope(indicator)
    .split(' ')
    .some((name) => source.scopes.has(name) && isOperatorScope(indicator, name))
  if (!isAdministrative || !(await isRequired(settings))) return false
  const session = source.sessionUid && (await oidc.provider.Session.findByUid(source.sessionUid))
  // If the request asked for one factor, the code has that level, although the session may have two.
  if (session && session.loginTs === source.authTime && meetsRequirement(session)) return false
  return isRequired(settings, { fresh: true })
}

/**
 * Checks whether the tenant requires the factor. Submissions read the setting from the database, so a request is
 * rejected only after a fresh read. Otherwise, users would be asked to sign in again and again until the cache expires.
 */
const isRequired = async (settings: FactorSettings, options?: { fresh: true }): Promise<boolean> =>
  (await settings(options)).administratorsNeedSecondFactor

const hasTwoFactors = ({ acr }: { acr?: string | undefined }) => reachesLevel(acr, 'urn:vestibule:acr:2fa')

/** Checks whether the sign-in of a session used two factors, or was accepted while they were required. */
const meetsRequirement = (session: Session): boolean => hasTwoFactors(session) || metRequirement(session)
