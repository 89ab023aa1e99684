import { decodeJwt } from 'jose'
import { type Client, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { getProviderRequest } from '../request-context.ts'

/** Implements the rules of the FAPI 2.0 Security Profile that apply to each request (spec/provider#fapi). */

export const isFapi = (client: Client | undefined): boolean => client?.fapi2 === true

export const fapiProfile = (_ctx: unknown, client: Client | undefined) => (isFapi(client) ? '2.0' : undefined)

/**
 * The number of seconds by which a JWT's timestamp may be in the future. A JWT with a later timestamp may have been
 * created in advance, for later use (FAPI 2.0 §5.3.2.1).
 */
const MAX_SECONDS_AHEAD = 60

export function refuseFutureTimes(claims: { iat?: unknown; nbf?: unknown }, error: Error): void {
  const latest = getProviderRequest().now() / 1000 + MAX_SECONDS_AHEAD
  const isAhead = [claims.iat, claims.nbf].some((time) => typeof time === 'number' && time > latest)
  if (isAhead) throw error
}

/**
 * Rejects DPoP proofs whose timestamp is too far in the future. The library itself allows 300 seconds. It calls this
 * nonce hook before it checks a proof; nonces are not used.
 */
export function requiresNonce(ctx: KoaContextWithOIDC): false {
  if (isFapi(ctx.oidc.client)) {
    refuseFutureTimes(
      claimsIn(ctx.get('DPoP')),
      new errors.InvalidDpopProof('DPoP proof iat is in the future'),
    )
  }
  return false
}

/** Decodes a DPoP proof. If the proof is not a JWT, the library rejects it later. */
function claimsIn(proof: string) {
  try {
    return decodeJwt(proof)
  } catch {
    return {}
  }
}
