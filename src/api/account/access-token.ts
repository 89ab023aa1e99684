import { decodeJwt } from 'jose'
import { z } from 'zod'
import { isRevoked } from '../../domain/revocation.ts'
import type { Database } from '../../storage/database.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { type ModelRow, readBearer } from '../../storage/oidc-models.ts'
import type { UserRow } from '../../storage/users.ts'

/** What an access token of our provider says, as the library wrote it down. */
const Token = z.object({
  accountId: z.string(),
  clientId: z.string(),
  grantId: z.string(),
  scope: z.string().default(''),
  sessionUid: z.string().optional(),
  expiresWithSession: z.boolean().optional(),
  /** The thumbprint of the key it is bound to (RFC 9449). */
  jkt: z.string().optional(),
  /** One that is made for another API, which is not what this one is for. */
  aud: z.never().optional(),
})
export type AccessToken = z.infer<typeof Token>

const Granted = z.object({
  accountId: z.string(),
  clientId: z.string(),
  iat: z.number(),
  openid: z.object({ scope: z.string() }).optional(),
})

const SignedIn = z.object({
  accountId: z.string(),
  loginTs: z.number(),
  authorizations: z.record(z.string(), z.object({ grantId: z.string().optional() })).default({}),
})

export type Bearer =
  | { kind: 'nobody' }
  /** An application by itself: it has no account. */
  | { kind: 'application' }
  | { kind: 'user'; token: AccessToken; scopes: ReadonlySet<string>; user: UserRow }

/**
 * Whose token this is, by the rows it hangs on: its grant, its session and its account, as the provider itself judges
 * them at userinfo, so that signing out or revoking anything ends it at once (decision 15). One round trip.
 */
export async function readAccessToken(
  db: Database,
  tenantId: string,
  value: string,
  now: number,
): Promise<Bearer> {
  if (isOfApplication(value)) return { kind: 'application' }
  const id = await sha256Base64Url(value)
  const bearer = await readBearer(db, tenantId, id)
  const { grant, session, user, credentials } = bearer
  if (credentials && credentials.expiresAt > now) return { kind: 'application' }

  const token = living(Token, bearer.token, now)
  const granted = living(Granted, grant, now)
  if (!token || !granted || !user || isRevoked(user, granted.iat)) return { kind: 'nobody' }
  if (granted.clientId !== token.clientId || granted.accountId !== token.accountId) return { kind: 'nobody' }
  if (token.expiresWithSession && !isIn(living(SignedIn, session, now), token, user))
    return { kind: 'nobody' }

  const allowed = new Set(granted.openid?.scope.split(' '))
  const scopes = new Set(token.scope.split(' ').filter((scope) => allowed.has(scope)))
  return { kind: 'user', token, scopes, user }
}

function isIn(session: z.infer<typeof SignedIn> | null, token: AccessToken, user: UserRow): boolean {
  if (!session || session.accountId !== token.accountId || isRevoked(user, session.loginTs)) return false
  return session.authorizations[token.clientId]?.grantId === token.grantId
}

function living<T>(shape: z.ZodType<T>, row: ModelRow | undefined, now: number): T | null {
  if (!row || row.expiresAt <= now) return null
  const parsed = shape.safeParse(row.payload)
  return parsed.success ? parsed.data : null
}

/** A JWT of ours that stands for an application says so. Nobody gets anything by it, so nobody looks at its signature. */
function isOfApplication(value: string): boolean {
  if (value.split('.').length !== 3) return false
  try {
    const { sub, client_id: clientId } = decodeJwt(value)
    return sub !== undefined && sub === clientId
  } catch {
    return false
  }
}
