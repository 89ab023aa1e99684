import type { Context, MiddlewareHandler } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import {
  type AccessToken,
  readAccessToken,
  type SignedInUser,
} from '../../application/sessions/access-token.ts'
import { type DpopProof, readDpopProof } from '../../application/sessions/dpop-proof.ts'
import { resourceChallenge } from '../../contract/applications/protected-resources.ts'
import { DEMO_APP_ID } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { isAllowedOrigin } from '../../domain/applications/allowed-origin.ts'
import type { AuditVariables } from '../audit-trail.ts'
import { readToken, setChallenge, type TokenScheme } from '../token-header.ts'
import type { CorsVariables } from './cors.ts'

export type AccountVariables = AuditVariables &
  CorsVariables & {
    signedIn: SignedInUser
    /** The DPoP proof of a key-bound token until it is claimed, or null if the token is a bearer token. */
    proof: DpopProof | null
  }
export type AccountContext = Context<{ Variables: AccountVariables }>

/** The scopes that the account API requires besides `openid` (ADR-0141). */
export type AccountScope = 'address' | 'profile' | 'custom_data' | 'identities' | 'organizations'

/**
 * Accepts the access tokens that applications use for userinfo (spec/provider#account-calls). With such a token, a
 * third-party application can read userinfo but cannot change anything.
 */
export function authenticateAccount(
  dependencies: Dependencies,
  scope: AccountScope,
): MiddlewareHandler<{ Variables: AccountVariables }> {
  const { db, now } = dependencies

  return async (c, next) => {
    const { scheme, token: tokenValue } = readToken(c, challengeOf(c, scope))
    const owner = await readAccessToken(db, c.var.tenantId, tokenValue, now())
    if (owner.kind === 'invalid') refuseWith('auth.unauthorized')
    if (owner.kind === 'application') return refuseScope(c, 'openid profile')

    const { kind: _kind, ...signedIn } = owner
    const { token, scopes } = signedIn
    const proof = await readKeyProof(c, scheme, tokenValue, token)
    await refuseForeignApplication(c, token)
    if (!scopes.has('openid')) refuseScope(c, 'openid profile')

    // The `WWW-Authenticate` challenge is sent only with error responses.
    c.header('WWW-Authenticate', undefined)
    c.set('signedIn', signedIn)
    c.set('proof', proof)
    await next()
  }

  async function readKeyProof(
    c: AccountContext,
    scheme: TokenScheme,
    token: string,
    { jkt }: AccessToken,
  ): Promise<DpopProof | null> {
    // A stolen key-bound token must not be accepted as a bearer token (RFC 9449 §7.1).
    if ((scheme === 'dpop') !== (jkt !== undefined)) refuseWith('auth.unauthorized')
    if (jkt === undefined) return null
    const { method, url } = c.req
    const proof = c.req.header('dpop')
    return (await readDpopProof({ proof, method, url, token, jkt, now: now() })) ?? refuseProof(c, scope)
  }

  async function refuseForeignApplication(c: AccountContext, { clientId }: AccessToken) {
    const isBuiltIn = clientId === DEMO_APP_ID
    const application = isBuiltIn
      ? null
      : await dependencies.applications.get(JSON.stringify([c.var.tenantId, clientId]))
    if (!isBuiltIn && !application) refuseWith('auth.unauthorized')

    const origin = c.req.header('origin')
    const registered = {
      redirectUris: application?.oidcClientMetadata.redirectUris ?? [],
      listed: application?.customClientMetadata.corsAllowedOrigins,
    }
    if (origin !== undefined && !isAllowedOrigin(origin, new URL(c.req.url).origin, registered)) {
      c.set('isForeignOrigin', true)
      refuseWith('auth.forbidden')
    }
    if (application?.customClientMetadata.isThirdParty) refuseWith('auth.forbidden')
  }
}

/** Requires the call's scope. Runs after authentication. */
export const requireScope =
  (scope: AccountScope): MiddlewareHandler<{ Variables: AccountVariables }> =>
  async (c, next) => {
    throwIfScopeMissing(c, scope)
    await next()
  }

export function throwIfScopeMissing(c: AccountContext, scope: AccountScope): void {
  if (!c.var.signedIn.scopes.has(scope)) refuseScope(c, `openid ${scope}`)
}

/** Rejects a DPoP proof that was signed for another request or has already been used (RFC 9449 §7.1). */
export function refuseProof(c: AccountContext, scope: AccountScope): never {
  setChallenge(c, 'DPoP', `error="invalid_dpop_proof", ${challengeOf(c, scope)}`)
  return refuseWith('auth.unauthorized')
}

function refuseScope(c: AccountContext, scope: string): never {
  setChallenge(c, 'Bearer', `error="insufficient_scope", scope="${scope}"`)
  return refuseWith('auth.forbidden')
}

/** Returns the challenge that tells the client where to find the metadata and which scopes the call requires. */
const challengeOf = (c: AccountContext, scope: AccountScope) =>
  resourceChallenge('/api/me', c.req.url, `openid ${scope}`)
