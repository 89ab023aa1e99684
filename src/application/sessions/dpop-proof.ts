import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWTVerifyResult, jwtVerify } from 'jose'
import type { Database } from '../../storage/database.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { claimModel } from '../../storage/interactions/single-use.ts'

/** The tolerance for clock differences and transport time. The provider uses the same value (spec/provider#dpop). */
const WINDOW_SECONDS = 300

const algorithms = ['ES256', 'ES384', 'Ed25519', 'EdDSA', 'PS256', 'RS256']

type ProofRequest = {
  /** The value of the `DPoP` header. */
  proof: string | undefined
  method: string
  url: string
  token: string
  /** The thumbprint of the key to which the token is bound. */
  jkt: string
  now: number
}

/** A DPoP proof that is valid for its request. It may have been used before. */
export type DpopProof = { jkt: string; jti: string; iat: number }

/**
 * Returns the DPoP proof of a request, or null unless it is signed for this request with the key to which the access
 * token is bound (RFC 9449 §4.3, §7).
 */
export async function readDpopProof(request: ProofRequest): Promise<DpopProof | null> {
  const { method, url, token, jkt, now } = request
  const verified = await verifyProof(request)
  if (!verified) return null
  const { payload, protectedHeader } = verified
  const { jti, iat = 0, htm, htu, ath } = payload
  if (typeof jti !== 'string' || jti === '' || Math.abs(now / 1000 - iat) > WINDOW_SECONDS) return null
  if (htm !== method || typeof htu !== 'string' || withoutQuery(htu) !== withoutQuery(url)) return null
  if (ath !== (await sha256Base64Url(token))) return null
  if (!protectedHeader.jwk || (await calculateJwkThumbprint(protectedHeader.jwk)) !== jkt) return null
  return { jkt, jti, iat }
}

/**
 * Claims a DPoP proof for one change, and returns false if it was used before. Claiming writes a row that is kept for
 * five minutes. It is therefore the last check before a change, after scopes and rate limits. Reads do not claim their
 * proofs (ADR-0156).
 */
export async function claimDpopProof(
  db: Database,
  { tenantId, api, proof }: { tenantId: string; api: 'account' | 'management'; proof: DpopProof },
): Promise<boolean> {
  const { jkt, jti, iat } = proof
  return claimModel(db, {
    tenantId,
    modelName: 'ReplayDetection',
    id: await sha256Base64Url(JSON.stringify([api, jkt, jti])),
    payload: { iat },
    expiresAt: (iat + WINDOW_SECONDS + 1) * 1000,
  })
}

async function verifyProof({ proof, now }: ProofRequest): Promise<JWTVerifyResult | null> {
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
    // The key comes from the client. If it is invalid, jose throws one of these errors.
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException)
      return null
    throw error
  }
}

/** Removes the query and the fragment (RFC 9449 §4.2). */
function withoutQuery(address: string): string | null {
  const url = URL.parse(address)
  return url && url.origin + url.pathname
}
