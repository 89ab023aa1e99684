import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWTVerifyResult, jwtVerify } from 'jose'
import type { Database } from '../storage/database.ts'
import { sha256Base64Url } from '../storage/digest.ts'
import { claimModel } from '../storage/single-use.ts'

/** The difference between clocks plus the time of transport; the same that the provider allows (spec/provider#dpop). */
const WINDOW_SECONDS = 300

const algorithms = ['ES256', 'ES384', 'Ed25519', 'EdDSA', 'PS256', 'RS256']

type PresentedProof = {
  tenantId: string
  proof: string | undefined
  method: string
  url: string
  token: string
  /** The thumbprint of the key that the token is bound to. */
  jkt: string
  now: number
}

/** Whether the caller holds the key of the access token and shows it for this request alone (RFC 9449 §4.3, §7). */
export async function isProofOfPossession(
  db: Database,
  { tenantId, proof, method, url, token, jkt, now }: PresentedProof,
): Promise<boolean> {
  const verified = await verifyProof(proof, now)
  if (!verified) return false
  const { payload, protectedHeader } = verified
  const { jti, iat = 0, htm, htu, ath } = payload
  if (typeof jti !== 'string' || jti === '' || Math.abs(now / 1000 - iat) > WINDOW_SECONDS) return false
  if (htm !== method || typeof htu !== 'string' || withoutQuery(htu) !== withoutQuery(url)) return false
  if (ath !== (await sha256Base64Url(token))) return false
  if (!protectedHeader.jwk || (await calculateJwkThumbprint(protectedHeader.jwk)) !== jkt) return false

  return claimModel(db, {
    tenantId,
    modelName: 'ReplayDetection',
    id: await sha256Base64Url(JSON.stringify(['account', jkt, jti])),
    payload: { iat },
    expiresAt: (iat + WINDOW_SECONDS + 1) * 1000,
  })
}

async function verifyProof(proof: string | undefined, now: number): Promise<JWTVerifyResult | null> {
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
    // The key comes from the client: jose reports what is wrong with it in one of these.
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException)
      return null
    throw error
  }
}

/** Without query and fragment (RFC 9449 §4.2). */
function withoutQuery(address: string): string | null {
  const url = URL.parse(address)
  return url && url.origin + url.pathname
}
