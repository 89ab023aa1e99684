import { importJWK, SignJWT } from 'jose'
import { getIdTokenAlgorithm } from '../../domain/applications/fapi.ts'
import type { ApplicationRow } from '../../storage/applications/applications.ts'
import type { LogoutClaims } from '../../storage/hooks/outbox-events.ts'
import { randomId } from '../../storage/ids.ts'
import type { SigningKeys } from '../../storage/tenants/signing-keys.ts'

const LIFETIME_SECONDS = 120 // OpenID Connect Back-Channel Logout 1.0 §2.4: "at most two minutes"

/**
 * Creates a logout token (OpenID Connect Back-Channel Logout 1.0 §2.4). A new token is created for each delivery
 * attempt, because tokens are valid for two minutes, and because an application may reject a `jti` that it has seen
 * before even if it failed to process the token.
 */
export async function createLogoutToken(
  { issuer, sub, sid }: LogoutClaims,
  { id, customClientMetadata }: ApplicationRow,
  { jwks }: SigningKeys,
  now: number,
): Promise<string> {
  const alg = getIdTokenAlgorithm(customClientMetadata) ?? 'RS256'
  const key = jwks.keys.find((candidate) => candidate.alg === alg)
  if (!key) throw new Error(`There is no key for ${alg}`)
  const second = Math.floor(now / 1000)
  return new SignJWT({
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    ...(sid === undefined ? {} : { sid }),
  })
    .setProtectedHeader({ alg, typ: 'logout+jwt', ...(key.kid === undefined ? {} : { kid: key.kid }) })
    .setIssuer(issuer)
    .setSubject(sub)
    .setAudience(id)
    .setJti(randomId())
    .setIssuedAt(second)
    .setExpirationTime(second + LIFETIME_SECONDS)
    .sign(await importJWK(key, alg))
}
