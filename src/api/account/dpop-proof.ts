import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWTVerifyResult, jwtVerify } from 'jose'
import type { Database } from '../../storage/database.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { claimModel } from '../../storage/oidc-models.ts'

/** What clocks may differ by, and a proof may take on its way: as long as our provider allows. */
const WINDOW_SECONDS = 300

const algorithms = ['ES256', 'ES384', 'Ed25519', 'EdDSA', 'PS256', 'RS256']

type Proven = {
  tenantId: string
  proof: string | undefined
  method: string
  url: string
  token: string
  /** The thumbprint of the key the token is bound to. */
  jkt: string
  now: number
}

/** Whether the caller holds the key that the access token is bound to, shown for this request alone (RFC 9449 §4.3 and 7). */
export async function isProven(
  db: Database,
  { tenantId, proof, method, url, token, jkt, now }: Proven,
): Promise<boolean> {
  const verified = await verify(proof, now)
  if (!verified) return false
  const { payload, protectedHeader } = verified
  const { jti, iat = 0, htm, htu, ath } = payload
  if (typeof jti !== 'string' || jti === '' || Math.abs(now / 1000 - iat) > WINDOW_SECONDS) return false
  if (htm !== method || typeof htu !== 'string' || bare(htu) !== bare(url)) return false
  if (ath !== (await sha256Base64Url(token))) return false
  if (!protectedHeader.jwk || (await calculateJwkThumbprint(protectedHeader.jwk)) !== jkt) return false

  const id = await sha256Base64Url(JSON.stringify(['account', jkt, jti]))
  const expiresAt = (iat + WINDOW_SECONDS + 1) * 1000
  const claimed = await claimModel(db, {
    tenantId,
    modelName: 'ReplayDetection',
    id,
    payload: { iat },
    expiresAt,
  })
  return claimed.length > 0
}

async function verify(proof: string | undefined, now: number): Promise<JWTVerifyResult | null> {
  if (proof === undefined) return null
  try {
    return await jwtVerify(proof, EmbeddedJWK, {
      algorithms,
      typ: 'dpop+jwt',
      requiredClaims: ['iat', 'jti'],
      currentDate: new Date(now),
      clockTolerance: WINDOW_SECONDS,
    })
  } catch (error) {
    // Whatever a stranger put in place of a key or a claim: jose says what is wrong with it in one of these.
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException)
      return null
    throw error
  }
}

/** Without query and fragment (RFC 9449 §4.2). */
function bare(address: string): string | null {
  const url = URL.parse(address)
  return url && url.origin + url.pathname
}
