import { createRemoteJWKSet, customFetch, errors, type JWK, type JWTPayload, jwtVerify } from 'jose'
import { ConnectorFailure } from './failure.ts'
import type { SocialContext } from './social.ts'
import { ask } from './social-call.ts'

/** Signatures anybody can check with a published key. A shared secret, or none, proves nothing here. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const CLOCK_TOLERANCE = 15 // seconds, as our own provider allows (contract 4.1)
/** Keys of so many providers are remembered by an isolate. */
const MOST_KEY_SETS = 100

export type Expected = {
  jwksUri: string
  /** Exactly, or by a rule where a provider has an issuer for every one of its tenants. */
  issuer: string | ((issuer: string, claims: JWTPayload, key: JWK | undefined) => boolean)
  clientId: string
  /** Absent where the provider was sent none. */
  nonce: string | undefined
}

/** The claims of an ID token that was made for us, now, and for this very sign-in (OIDC Core §3.1.3.7). */
export async function verifiedClaims(
  idToken: string,
  { jwksUri, issuer, clientId, nonce }: Expected,
  context: SocialContext,
): Promise<JWTPayload & { sub: string }> {
  const keys = keySet(jwksUri, context)
  const { payload, protectedHeader } = await jwtVerify(idToken, keys, {
    algorithms: ALGORITHMS,
    audience: clientId,
    ...(typeof issuer === 'string' && { issuer }),
    requiredClaims: ['iss', 'sub', 'exp', 'iat'],
    clockTolerance: CLOCK_TOLERANCE,
    currentDate: new Date(context.now()),
  }).catch(asFailure)
  const { iss = '', sub, azp, aud } = payload
  const key = keys.jwks()?.keys.find(({ kid }) => kid !== undefined && kid === protectedHeader.kid)
  const isOfIssuer = typeof issuer === 'string' || issuer(iss, payload, key)
  const isForUs = azp === undefined ? !Array.isArray(aud) || aud.length === 1 : azp === clientId
  if (!sub || !isOfIssuer || !isForUs || payload.nonce !== nonce)
    throw invalid('issuer, authorized party or nonce')
  return { ...payload, sub }
}

const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

/** Fetched when first needed and when a key is new; jose remembers the rest. */
function keySet(uri: string, context: SocialContext): ReturnType<typeof createRemoteJWKSet> {
  const known = keySets.get(uri)
  if (known) return known
  const made = createRemoteJWKSet(new URL(uri), {
    [customFetch]: async (url: string) => {
      const { status, text } = await ask(url, { headers: { accept: 'application/json' } }, context)
      return new Response(text, { status })
    },
  })
  keySets.set(uri, made)
  const [oldest] = keySets.keys()
  if (keySets.size > MOST_KEY_SETS && oldest !== undefined) keySets.delete(oldest)
  return made
}

/** Keys that cannot be had say nothing about the token. */
function asFailure(error: unknown): never {
  if (error instanceof ConnectorFailure) throw error
  if (error instanceof errors.JWKSInvalid) throw new ConnectorFailure('invalid_response', { detail: 'keys' })
  // What has no class of its own in jose is a set of keys that was not answered, or not as JSON.
  if (error instanceof errors.JOSEError && error.code !== errors.JOSEError.code) throw invalid(error.code)
  throw new ConnectorFailure('general', { detail: String(error) })
}

const invalid = (detail: string) => new ConnectorFailure('social_invalid_id_token', { detail })
