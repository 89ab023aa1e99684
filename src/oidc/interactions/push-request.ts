import { UnsecuredJWT } from 'jose'
import type { Dependencies } from '../../application/dependencies.ts'
import { ALWAYS_TRUE } from '../../storage/conditions.ts'
import { retryOnce } from '../../storage/database.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { randomId } from '../../storage/ids.ts'
import { writeModel } from '../../storage/interactions/oidc-models.ts'

const PUSHED_REQUEST_SECONDS = 60 // the library's own limit
const VALUE_LENGTH = 43

type PushedRequest = {
  tenantId: string
  /** The origin of the provider. */
  origin: string
  clientId: string
  request: Record<string, string>
}

/**
 * Stores a request in the same way as the library stores pushed requests. Returns its `request_uri`, which can be used
 * once.
 */
export async function pushRequest(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { tenantId, origin, clientId, request }: PushedRequest,
): Promise<string> {
  const value = randomId(VALUE_LENGTH)
  const iat = Math.floor(now() / 1000)
  const exp = iat + PUSHED_REQUEST_SECONDS
  const jwt = new UnsecuredJWT(request)
    .setIssuedAt(iat)
    .setIssuer(clientId)
    .setAudience(`${origin}/oidc`)
    .setNotBefore(iat)
    .setExpirationTime(exp)
    .encode()
  const payload = {
    kind: 'PushedAuthorizationRequest',
    request: jwt,
    dpopJkt: request.dpop_jkt,
    iat,
    exp,
  }
  const write = {
    tenantId,
    modelName: 'PushedAuthorizationRequest',
    id: await sha256Base64Url(value),
    payload,
    expiresAt: exp * 1000,
  }
  await retryOnce(() => writeModel(db, write, { onConflict: 'keep', condition: ALWAYS_TRUE }))
  return value
}
