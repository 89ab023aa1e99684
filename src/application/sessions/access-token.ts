import { decodeJwt } from 'jose'
import { z } from 'zod'
import { BUILT_IN_APP_IDS } from '../../contract/product.ts'
import { isRevoked } from '../../domain/sessions/revocation.ts'
import type { Database } from '../../storage/database.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import type { ModelRow } from '../../storage/interactions/oidc-models.ts'
import { readBearerToken } from '../../storage/interactions/oidc-reads.ts'
import type { UserRow } from '../../storage/users/users.ts'

/** An access token of the provider, as the library stores it. */
const AccessTokenPayload = z.object({
  accountId: z.string(),
  clientId: z.string(),
  grantId: z.string(),
  iat: z.number(),
  scope: z.string().default(''),
  sessionUid: z.string().optional(),
  expiresWithSession: z.boolean().optional(),
  /** The thumbprint of the key that it is bound to (RFC 9449). */
  jkt: z.string().optional(),
  /** What its authorization request asked for: `max_age` and `prompt=login` ask for `auth_time`. */
  claims: z
    .object({ id_token: z.object({ auth_time: z.object({ essential: z.literal(true) }) }) })
    .optional()
    .catch(undefined),
  /** Of the sign-in behind it, however often it was refreshed (`authenticationClaims`). */
  extra: z.object({ auth_time: z.number(), acr: z.string().optional() }).optional().catch(undefined),
  /** A token for another API is not accepted. */
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

/** A user who calls with an access token that an application got. */
export type SignedInUser = {
  user: UserRow
  token: AccessToken
  scopes: ReadonlySet<string>
  /** Epoch milliseconds. When the user signed in for this token, if its application asked for a recent sign-in. */
  freshSignInAt: number | undefined
  /** How strongly the user signed in for this token; a token from before it was said has none. */
  level: string | undefined
  /** Whether what the user signs in with may change by this token (spec/accounts#credentials-of-operators). */
  mayChangeCredentials: boolean
}

type TokenOwner =
  | { kind: 'invalid' }
  /** An application by itself: it has no account. */
  | { kind: 'application' }
  | ({ kind: 'user' } & SignedInUser)

/**
 * The owner of a token, checked by its grant, session and account as the provider checks them at userinfo: a revocation of
 * any of them ends it at once (spec/provider#account-calls). One round trip.
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
    // A later sign-in in the same browser makes no token of an earlier one a proof, refreshed or not.
    freshSignInAt:
      token.claims && token.extra && session?.accountId === token.accountId
        ? token.extra.auth_time * 1000
        : undefined,
    level: token.extra?.acr,
    mayChangeCredentials: !rows.isOperator || isBuiltIn(token),
  }
}

/** Whether the token is one of the account centre, the console or the demo: nobody in the tenant can change where they go. */
export const isBuiltIn = ({ clientId }: Pick<AccessToken, 'clientId'>): boolean =>
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

/** A JWT of client credentials. It only decides which refusal is answered, so its signature is not verified. */
function isOfApplication(value: string): boolean {
  if (value.split('.').length !== 3) return false
  try {
    const { sub, client_id: clientId } = decodeJwt(value)
    return sub !== undefined && sub === clientId
  } catch {
    return false
  }
}
