import { type Client, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { isFapiAlgorithm } from '../../domain/applications/fapi.ts'
import { sha256Base64Url } from '../../storage/digest.ts'
import { CLOCK_TOLERANCE_SECONDS } from '../clock-tolerance.ts'
import { getProviderRequest } from '../request-context.ts'
import { isFapi, refuseFutureTimes } from './fapi.ts'

/**
 * The maximum lifetime of an assertion, in seconds. The server stores each `jti` until the assertion expires, so a
 * longer lifetime would mean more rows (ADR-0156). RFC 7523 §3 leaves the limit to the server. Clients create an
 * assertion for every request, usually with a lifetime of one minute.
 */
const MAX_ASSERTION = 5 * 60

/**
 * Performs the checks that the library omits, on an assertion with a valid signature (spec/provider#client-keys). The
 * only audience must be our issuer, so that an assertion for another server cannot be used here, and an assertion for
 * us cannot be used elsewhere (the errata of OpenID Connect Core §9, RFC 7523bis §4).
 */
export async function checkAssertion(
  ctx: KoaContextWithOIDC,
  { aud, exp, iss, jti, ...times }: Partial<Record<'aud' | 'exp' | 'iat' | 'iss' | 'jti' | 'nbf', unknown>>,
  { alg }: { alg?: unknown },
  client: Client,
): Promise<void> {
  if (isFapi(client) && !isFapiAlgorithm(alg)) {
    throw new errors.InvalidClientAuth('the algorithm is not allowed by FAPI 2.0')
  }
  refuseFutureTimes(times, new errors.InvalidClientAuth('the assertion was issued in the future'))
  if (aud !== ctx.oidc.issuer) throw wrongAudience(ctx.oidc.issuer)
  if (
    typeof exp !== 'number' ||
    exp > getProviderRequest().now() / 1000 + MAX_ASSERTION + CLOCK_TOLERANCE_SECONDS
  ) {
    throw new errors.InvalidClientAuth('the assertion must expire within five minutes')
  }
  if (typeof jti !== 'string' || typeof iss !== 'string') {
    throw new errors.InvalidClientAuth('jti and iss must be strings')
  }
  replayKeys.set(ctx.oidc, await sha256Base64Url(iss + jti))
}

/**
 * Leaves the audience of assertions to `checkAssertion`. The library compares it before it verifies the signature, also
 * accepts the URLs of endpoints, and does not tell the client which audience it expects.
 */
export function leaveAudienceToUs({ OIDCContext: { prototype } }: Provider): void {
  const anyAudience = new Set<string>()
  anyAudience.has = () => true
  prototype.clientJwtAuthExpectedAudience = () => anyAudience
}

/** The description names the audience, because many clients send the URL of the token endpoint (RFC 7523 §3). */
function wrongAudience(issuer: string): errors.InvalidClientAuth {
  const error = new errors.InvalidClientAuth('the audience (aud) is not the issuer identifier, as a string')
  error.error_description = `client authentication failed: the audience (aud) of the assertion must be ${issuer}, as a string`
  return error
}

/** For each request, the key with which the library looks up whether an assertion was used before. */
const replayKeys = new WeakMap<KoaContextWithOIDC['oidc'], string>()

/** Reports whether a replay-detection key belongs to this request's client assertion rather than its DPoP proof. */
export function isAssertionReplayKey(key: string): boolean {
  const { oidc } = Provider.ctx ?? {}
  return oidc !== undefined && replayKeys.get(oidc) === key
}
