import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose'
import { outboundProblem } from '../domain/outbound-address.ts'
import { ConnectorFailure } from './failure.ts'
import type { SocialWorld } from './social.ts'

/** Signatures anybody can check with a published key. A shared secret, or none, proves nothing here. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const CLOCK_TOLERANCE = 15 // seconds, as our own provider allows (contract 4.1)
/** Keys of so many providers are remembered by an isolate. */
const MOST_KEY_SETS = 100

export type Expected = {
  jwksUri: string
  /** Exactly, or by a rule where a provider has an issuer for every one of its tenants. */
  issuer: string | ((issuer: string, claims: JWTPayload) => boolean)
  clientId: string
  /** Absent where the provider was sent none. */
  nonce: string | undefined
}

/** The claims of an ID token that was made for us, now, and for this very sign-in (OpenID Connect Core, 3.1.3.7). */
export async function verifiedClaims(
  idToken: string,
  { jwksUri, issuer, clientId, nonce }: Expected,
  world: SocialWorld,
): Promise<JWTPayload & { sub: string }> {
  const { payload } = await jwtVerify(idToken, keySet(jwksUri, world), {
    algorithms: ALGORITHMS,
    audience: clientId,
    ...(typeof issuer === 'string' && { issuer }),
    requiredClaims: ['iss', 'sub', 'exp', 'iat'],
    clockTolerance: CLOCK_TOLERANCE,
    currentDate: new Date(world.now()),
  }).catch(asFailure)
  const { iss = '', sub, azp, aud } = payload
  const isOfIssuer = typeof issuer === 'string' || issuer(iss, payload)
  const isForUs = azp === undefined ? !Array.isArray(aud) || aud.length === 1 : azp === clientId
  if (!sub || !isOfIssuer || !isForUs || payload.nonce !== nonce)
    throw invalid('issuer, authorized party or nonce')
  return { ...payload, sub }
}

const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

/** Fetched when first needed and when a key is new; jose remembers the rest. */
function keySet(uri: string, world: SocialWorld): ReturnType<typeof createRemoteJWKSet> {
  const problem = outboundProblem(uri, { allowPrivateTargets: !world.requiresTls })
  if (problem) {
    throw new ConnectorFailure('invalid_config', {
      data: { issues: [{ path: 'jwksUri', message: problem }] },
    })
  }
  const known = keySets.get(uri)
  if (known) return known
  const made = createRemoteJWKSet(new URL(uri), {
    timeoutDuration: world.timeout,
    [customFetch]: (url: string, init: RequestInit) => world.fetch(url, { ...init, redirect: 'manual' }),
  })
  keySets.set(uri, made)
  const [oldest] = keySets.keys()
  if (keySets.size > MOST_KEY_SETS && oldest !== undefined) keySets.delete(oldest)
  return made
}

/** Keys that cannot be had say nothing about the token. */
function asFailure(error: unknown): never {
  const isOfToken = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)
  if (isOfToken) throw invalid(error.code)
  throw new ConnectorFailure('general', { detail: String(error) })
}

const invalid = (detail: string) => new ConnectorFailure('social_invalid_id_token', { detail })
