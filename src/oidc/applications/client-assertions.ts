import { type Client, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { isFapiAlgorithm } from '../../domain/applications/fapi.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { CLOCK_TOLERANCE } from '../clock-tolerance.ts'
import { providerRequest } from '../request-context.ts'
import { isFapi, refuseAhead } from './fapi.ts'

/**
 * Seconds. Its `jti` is kept until it expires, so a longer life is a longer row for each request (ADR-0156). RFC 7523 §3 leaves
 * the bound to the server; clients make a new one for every request, most of them for one minute.
 */
const MAX_ASSERTION = 5 * 60

/**
 * What the library leaves open of an assertion whose signature holds (spec/provider#client-keys). The audience is our issuer
 * alone, so that an assertion which another server was given is worth nothing here, nor ours there (the errata of OpenID
 * Connect Core §9, RFC 7523bis §4).
 */
export async function checkAssertion(
  ctx: KoaContextWithOIDC,
  { aud, exp, iss, jti, ...times }: Partial<Record<'aud' | 'exp' | 'iat' | 'iss' | 'jti' | 'nbf', unknown>>,
  { alg }: { alg?: unknown },
  client: Client,
): Promise<void> {
  if (isFapi(client) && !isFapiAlgorithm(alg)) {
    throw new errors.InvalidClientAuth('the algorithm is not one of FAPI 2.0')
  }
  refuseAhead(times, new errors.InvalidClientAuth('the assertion is of the future'))
  if (aud !== ctx.oidc.issuer) {
    throw new errors.InvalidClientAuth('audience (aud) must be the issuer identifier, as a text')
  }
  if (typeof exp !== 'number' || exp > providerRequest().now() / 1000 + MAX_ASSERTION + CLOCK_TOLERANCE) {
    throw new errors.InvalidClientAuth('the assertion must expire within five minutes')
  }
  if (typeof jti !== 'string' || typeof iss !== 'string') {
    throw new errors.InvalidClientAuth('jti must be a text')
  }
  replayNames.set(ctx.oidc, await sha256Base64Url(iss + jti))
}

/** By the request: under which name the library asks whether its assertion was used before. */
const replayNames = new WeakMap<KoaContextWithOIDC['oidc'], string>()

/** Whether the library means the assertion of this request, and not its DPoP proof. */
export function isAssertion(replayName: string): boolean {
  const { oidc } = Provider.ctx ?? {}
  return oidc !== undefined && replayNames.get(oidc) === replayName
}
