import type { Context, MiddlewareHandler } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import { DEMO_APP_ID } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { mayCallFrom } from '../../domain/allowed-origin.ts'
import type { UserRow } from '../../storage/users.ts'
import type { AuditVariables } from '../audit-trail.ts'
import { type AccessToken, readAccessToken } from './access-token.ts'
import type { CorsVariables } from './cors.ts'
import { isProven } from './dpop-proof.ts'

/** Who calls: a user, through an application. */
export type SignedIn = { user: UserRow; token: AccessToken; scopes: ReadonlySet<string> }

export type AccountVariables = AuditVariables & CorsVariables & { signedIn: SignedIn }
export type AccountContext = Context<{ Variables: AccountVariables }>

/** Scopes an account call may ask for; `openid` is asked for by all (decision record 0017). */
export type AccountScope = 'profile' | 'custom_data' | 'identities'

/**
 * Account calls are open to the access tokens that applications get for their users beside the ID token, as userinfo is,
 * and of those to the tenant's own applications: one of somebody else's reads userinfo, and changes nobody's password.
 */
export function authenticateAccount(
  dependencies: Dependencies,
): MiddlewareHandler<{ Variables: AccountVariables }> {
  const { db, now } = dependencies

  return async (c, next) => {
    const { scheme, value } = readToken(c)
    const bearer = await readAccessToken(db, c.var.tenantId, value, now())
    if (bearer.kind === 'nobody') refuseWith('auth.unauthorized')
    if (bearer.kind === 'application') return refuseScope(c, 'openid profile')

    const { user, token, scopes } = bearer
    await refuseUnproven(c, scheme, value, token)
    await refuseStrangers(c, token)
    if (!scopes.has('openid')) refuseScope(c, 'openid profile')

    // The challenge was for those who did not get here.
    c.header('WWW-Authenticate', undefined)
    c.set('signedIn', { user, token, scopes })
    await next()
  }

  async function refuseUnproven(c: AccountContext, scheme: Scheme, value: string, { jkt }: AccessToken) {
    // RFC 9449 §7.1: whoever stole a token that is bound to a key must not get through by calling it a bearer token.
    if ((scheme === 'dpop') !== (jkt !== undefined)) refuseWith('auth.unauthorized')
    if (jkt === undefined) return
    const { method, url } = c.req
    const proof = { tenantId: c.var.tenantId, proof: c.req.header('dpop'), method, url, token: value, jkt }
    if (await isProven(db, { ...proof, now: now() })) return
    challenge(c, 'DPoP', 'error="invalid_dpop_proof"')
    refuseWith('auth.unauthorized')
  }

  async function refuseStrangers(c: AccountContext, { clientId }: AccessToken) {
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
    if (origin !== undefined && !mayCallFrom(origin, new URL(c.req.url).origin, registered)) {
      c.set('isForeignOrigin', true)
      refuseWith('auth.forbidden')
    }
    if (application?.customClientMetadata.isThirdParty) refuseWith('auth.forbidden')
  }
}

/** Behind the gate: what a call needs beyond being signed in. */
export const needs =
  (scope: AccountScope): MiddlewareHandler<{ Variables: AccountVariables }> =>
  async (c, next) => {
    if (!c.var.signedIn.scopes.has(scope)) refuseScope(c, `openid ${scope}`)
    await next()
  }

type Scheme = 'bearer' | 'dpop'

function readToken(c: AccountContext): { scheme: Scheme; value: string } {
  challenge(c, 'Bearer')
  const header = c.req.header('authorization')
  if (!header) refuseWith('auth.authorization_header_missing')
  const [named = '', value = ''] = header.split(/ +/, 2)
  const scheme = named.toLowerCase()
  if (scheme !== 'bearer' && scheme !== 'dpop') {
    return refuseWith('auth.authorization_token_type_not_supported', { supportedTypes: ['Bearer', 'DPoP'] })
  }
  challenge(c, scheme === 'dpop' ? 'DPoP' : 'Bearer', 'error="invalid_token"')
  return { scheme, value }
}

function refuseScope(c: AccountContext, scope: string): never {
  challenge(c, 'Bearer', `error="insufficient_scope", scope="${scope}"`)
  return refuseWith('auth.forbidden')
}

/** RFC 6750 §3 and RFC 9449 §7.1: what a refusal says to the client's HTTP library. */
const challenge = (c: Context, scheme: 'Bearer' | 'DPoP', detail = '') =>
  c.header('WWW-Authenticate', `${scheme} ${detail}`.trim())
