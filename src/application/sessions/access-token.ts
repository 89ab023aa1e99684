import { decodeJwt } from 'jose'
import { z } from 'zod'
import { BUILT_IN_APP_IDS } from '../../contract/product.ts'
import { isRevoked } from '../../domain/sessions/revocation.ts'
import type { Database } from '../../storage/database.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import type { ModelRow } from '../../storage/interactions/oidc-models.ts'
import { readBearerToken } from '../../storage/interactions/oidc-reads.ts'
import type { UserRow } from '../../storage/users/users.ts'

/** The payload of an access token in the provider library's storage format. */
const AccessTokenPayload = z.object({
  accountId: z.string(),
  clientId: z.string(),
  grantId: z.string(),
  iat: z.number(),
  scope: z.string().default(''),
  sessionUid: z.string().optional(),
  expiresWithSession: z.boolean().optional(),
  /** The thumbprint of the key to which the token is bound (RFC 9449). */
  jkt: z.string().optional(),
  /** The claims that the authorization request asked for. `max_age` and `prompt=login` also request `auth_time`. */
  claims: z
    .object({ id_token: z.object({ auth_time: z.object({ essential: z.literal(true) }) }) })
    .optional()
    .catch(undefined),
  /** The facts about the original sign-in. Refreshing the token does not change them (`authenticationClaims`). */
  extra: z.object({ auth_time: z.number(), acr: z.string().optional() }).optional().catch(undefined),
  /** The API for which the token was issued. A token for another API is rejected. */
  aud: z.never().optional(),
})
export type AccessToken = z.infer<typeof AccessTokenPayload>

const GrantPayload = z.object({
  accountId: z.string(),
  clientId: z.string(),
  iat: z.number(),
  exemptedAt: z.number().optional(),
  openid: z.object({ scope: z.string() }).optional(),
})

const SessionPayload = z.object({
  accountId: z.string(),
  loginTs: z.number(),
  exemptedAt: z.number().optional(),
  authorizations: z.record(z.string(), z.object({ grantId: z.string().optional() })).default({}),
})

/** A user on whose behalf an application makes a request with an access token. */
export type SignedInUser = {
  user: UserRow
  token: AccessToken
  scopes: ReadonlySet<string>
  /** The time of the sign-in in epoch milliseconds, if the application requested a recent one. */
  freshSignInAt: number | undefined
  /** The authentication level of the sign-in, which older tokens do not have. */
  level: string | undefined
  /** True if this token allows changes to the user's credentials (spec/accounts#credentials-of-operators). */
  mayChangeCredentials: boolean
}

type TokenOwner =
  | { kind: 'invalid' }
  /** An application that acts on its own behalf, without an account. */
  | { kind: 'application' }
  | ({ kind: 'user' } & SignedInUser)

/**
 * Reads a token's owner in one round trip. Like the provider's userinfo endpoint, it checks the grant, the session and
 * the account, so that a token is invalid as soon as any of them is revoked (spec/provider#account-calls).
 */
export async function readAccessToken(
  db: Database,
  tenantId: string,
  value: string,
  now: number,
): Promise<TokenOwner> {
  if (isOfApplication(value)) return { kind: 'application' }
  const rows = await readBearerToken(db, tenantId, await sha256Base64Url(value))
  const { user, credentials } = rows
  if (credentials && credentials.expiresAt > now) return { kind: 'application' }

  const token = parseUnexpired(AccessTokenPayload, rows.token, now)
  const grant = parseUnexpired(GrantPayload, rows.grant, now)
  if (!token || !grant) return { kind: 'invalid' }
  const { iat: madeAt, exemptedAt } = grant
  if (!user || isRevoked(user, { madeAt, exemptedAt })) return { kind: 'invalid' }
  if (grant.clientId !== token.clientId || grant.accountId !== token.accountId) return { kind: 'invalid' }
  const session = parseUnexpired(SessionPayload, rows.session, now)
  if (token.expiresWithSession && !isInSession(session, token, user)) return { kind: 'invalid' }

  const granted = new Set(grant.openid?.scope.split(' '))
  const scopes = new Set(token.scope.split(' ').filter((scope) => granted.has(scope)))
  return {
    kind: 'user',
    token,
    scopes,
    user,
    // A token proves only the sign-in with which it was issued. A later sign-in in the same browser does not make the
    // token's sign-in more recent, even if the token is refreshed.
    freshSignInAt:
      token.claims && token.extra && session?.accountId === token.accountId
        ? token.extra.auth_time * 1000
        : undefined,
    level: token.extra?.acr,
    mayChangeCredentials: !rows.isOperator || isBuiltInToken(token),
  }
}

/**
 * Checks whether the token belongs to the account centre, the console or the demo application. The tenant cannot change
 * the redirect URIs of these applications.
 */
export const isBuiltInToken = ({ clientId }: Pick<AccessToken, 'clientId'>): boolean =>
  BUILT_IN_APP_IDS.includes(clientId)

function isInSession(
  session: z.infer<typeof SessionPayload> | null,
  token: AccessToken,
  user: UserRow,
): boolean {
  if (!session || session.accountId !== token.accountId) return false
  const { loginTs: madeAt, exemptedAt } = session
  if (isRevoked(user, { madeAt, exemptedAt })) return false
  return session.authorizations[token.clientId]?.grantId === token.grantId
}

function parseUnexpired<T>(schema: z.ZodType<T>, row: ModelRow | undefined, now: number): T | null {
  if (!row || row.expiresAt <= now) return null
  return schema.safeParse(row.payload).data ?? null
}

/**
 * Checks whether a token is a JWT from the client credentials grant. The signature is not verified, because the result
 * only determines the error.
 */
function isOfApplication(value: string): boolean {
  if (value.split('.').length !== 3) return false
  try {
    const { sub, client_id: clientId } = decodeJwt(value)
    return sub !== undefined && sub === clientId
  } catch {
    return false
  }
}
