import { decodeJwt } from 'jose'
import { type Client, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { providerRequest } from '../request-context.ts'

/** The rules of the FAPI 2.0 Security Profile that belong to a request (spec/provider#fapi). */

export const isFapi = (client: Client | undefined): boolean => client?.fapi2 === true

export const fapiProfile = (_ctx: unknown, client: Client | undefined) => (isFapi(client) ? '2.0' : undefined)

/** Seconds. FAPI 2.0 §5.3.2.1: such a JWT may be of a clock that is set ahead to have it for later. */
const FURTHEST_AHEAD = 60

export function refuseAhead(claims: { iat?: unknown; nbf?: unknown }, error: Error): void {
  const latest = providerRequest().now() / 1000 + FURTHEST_AHEAD
  const isAhead = [claims.iat, claims.nbf].some((time) => typeof time === 'number' && time > latest)
  if (isAhead) throw error
}

/** Nonces are not used; the library asks before it reads a proof, which it accepts from 300 seconds ahead. */
export function needsNonce(ctx: KoaContextWithOIDC): false {
  if (isFapi(ctx.oidc.client)) {
    refuseAhead(claimsIn(ctx.get('DPoP')), new errors.InvalidDpopProof('DPoP proof iat is in the future'))
  }
  return false
}

/** A proof that is no JWT is refused by the library. */
function claimsIn(proof: string) {
  try {
    return decodeJwt(proof)
  } catch {
    return {}
  }
}
