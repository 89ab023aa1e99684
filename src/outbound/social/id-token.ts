import { decodeProtectedHeader } from 'jose'
import {
  clockSkew,
  clockTolerance,
  getValidatedIdTokenClaims,
  type IDToken,
  type JWKSCacheInput,
  jwksCache,
  processAuthorizationCodeResponse,
  validateApplicationLevelSignature,
} from 'oauth4webapi'
import { BoundedMap } from '../../domain/bounded-map.ts'
import { ConnectorFailure } from '../failure.ts'
import { libraryCallOptions, toConnectorFailure } from './oauth-library.ts'
import type { SocialContext } from './social.ts'
import type { Tokens } from './token-request.ts'

/**
 * The algorithms whose signatures can be verified with a published key. Tokens that are unsigned, or signed with
 * a shared secret, are rejected.
 */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const CLOCK_TOLERANCE = 15 // seconds, the same tolerance as that of our own provider (spec/connectors#id-token-check)

type ExpectedIdToken = {
  issuer: string
  jwksUri: string
  clientId: string
  /** The expected nonce, or undefined if the authorization request contained none. */
  nonce: string | undefined
}

/** A token's claims, and the published key that the token's `kid` names. */
export type VerifiedIdToken = { claims: IDToken; key: Readonly<Record<string, unknown>> | undefined }

/**
 * Verifies that an ID token was issued for this client, is currently valid and belongs to this sign-in (OIDC Core
 * §3.1.3.7).
 */
export async function verifyIdToken(
  { access_token, id_token }: Tokens,
  { issuer, jwksUri, clientId, nonce }: ExpectedIdToken,
  context: SocialContext,
): Promise<VerifiedIdToken> {
  const server = { issuer, jwks_uri: jwksUri, id_token_signing_alg_values_supported: ALGORITHMS }
  const client = {
    client_id: clientId,
    [clockSkew]: Math.round((context.now() - Date.now()) / 1000),
    [clockTolerance]: CLOCK_TOLERANCE,
  }
  const keys = keysAt(jwksUri)
  try {
    const response = Response.json({ access_token, token_type: 'Bearer', id_token })
    const tokens = await processAuthorizationCodeResponse(server, client, response, {
      requireIdToken: true,
      ...(nonce !== undefined && { expectedNonce: nonce }),
    })
    await validateApplicationLevelSignature(server, response, {
      [jwksCache]: keys,
      ...libraryCallOptions(context),
    })
    const claims = getValidatedIdTokenClaims(tokens)
    // The library checks `azp` only if the token has several audiences.
    if (!claims?.sub || (claims.azp !== undefined && claims.azp !== clientId))
      throw invalidIdTokenFailure('sub or azp')
    const { kid } = decodeProtectedHeader(tokens.id_token ?? '')
    return { claims, key: keys.jwks?.keys.find((key) => kid !== undefined && key.kid === kid) }
  } catch (error) {
    throw toConnectorFailure(error)
  }
}

export const invalidIdTokenFailure = (detail: string) =>
  new ConnectorFailure('social_invalid_id_token', { detail })

/** The maximum number of providers whose keys an isolate caches. */
const MAX_KEY_SETS = 100

const keySets = new BoundedMap<string, JWKSCacheInput>(MAX_KEY_SETS)

/**
 * Returns the cache of a provider's published keys, which all sign-ins share. The library fills the cache, using the
 * current sign-in's network access. It fetches the keys again after five minutes, or after one minute if a token names
 * an unknown key.
 */
function keysAt(uri: string): JWKSCacheInput {
  const keys = keySets.get(uri) ?? {}
  keySets.set(uri, keys)
  return keys
}
