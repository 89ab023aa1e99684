import type { Context, MiddlewareHandler } from 'hono'
import { createLocalJWKSet, errors, type JWK, type JWTPayload, jwtVerify } from 'jose'
import type { Dependencies } from '../../application/dependencies.ts'
import {
  DEMO_APP_ID,
  MANAGEMENT_CLIENT_ID,
  MANAGEMENT_RESOURCE,
  MANAGEMENT_SCOPE,
} from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { isRevoked } from '../../domain/revocation.ts'
import { userQuery } from '../../storage/oidc-models.ts'
import { applicationScopesQuery, userScopesQuery } from '../../storage/roles.ts'
import type { SigningKeys } from '../../storage/signing-keys.ts'
import type { AuditVariables } from '../audit-trail.ts'

/** Who calls: an application by itself, or a user through one (contract 8.1). */
export type Principal = { type: 'app' | 'user'; id: string }

export type ManagementVariables = AuditVariables & {
  principal: Principal
  /** Those of the gate's scopes that the token has, and its owner still has. */
  scopes: ReadonlySet<string>
}
export type Guard = MiddlewareHandler<{ Variables: ManagementVariables }>

/** What a token must be made for. One of the scopes is enough to pass. */
export type GuardDecision = { resource: string; scopes: readonly [string, ...string[]] }

const management: GuardDecision = { resource: MANAGEMENT_RESOURCE.indicator, scopes: [MANAGEMENT_SCOPE.name] }

/**
 * The management API is open to access tokens of the tenant's own provider, made for it, with its one scope (decision 35);
 * other calls of ours to such that were made for them.
 */
export function authenticate(dependencies: Dependencies, decision: GuardDecision = management): Guard {
  const { signingKeys } = dependencies
  /** For as long as the keys are remembered. */
  const keySets = new WeakMap<SigningKeys, KeySet>()

  return async (c, next) => {
    const token = readBearer(c)
    const claims = await verify(c, token, decision, keySetOf(await signingKeys.get(c.var.tenantId)))
    if (!claims.sub) refuseWith('auth.jwt_sub_missing')

    const principal: Principal = { type: claims.sub === claims.client_id ? 'app' : 'user', id: claims.sub }
    const held = await scopesHeld(dependencies, c.var.tenantId, principal, claims, decision)
    if (held === 'gone') refuseWith('auth.unauthorized')
    const claimed = scopesOf(claims)
    const scopes = new Set(decision.scopes.filter((name) => held.includes(name) && claimed.includes(name)))
    if (scopes.size === 0) {
      challenge(c, `error="insufficient_scope", scope="${decision.scopes[0]}"`)
      refuseWith('auth.forbidden')
    }
    // The challenge was for those who did not get here.
    c.header('WWW-Authenticate', undefined)
    c.set('principal', principal)
    c.set('scopes', scopes)
    await next()
  }

  function keySetOf(keys: SigningKeys): KeySet {
    const known = keySets.get(keys) ?? createLocalJWKSet({ keys: keys.jwks.keys.map(toPublic) })
    keySets.set(keys, known)
    return known
  }
}

function readBearer(c: Context): string {
  challenge(c)
  const header = c.req.header('authorization')
  if (!header) refuseWith('auth.authorization_header_missing')
  const [scheme = '', token = ''] = header.split(/ +/, 2)
  if (scheme.toLowerCase() !== 'bearer') {
    refuseWith('auth.authorization_token_type_not_supported', { supportedTypes: ['Bearer'] })
  }
  challenge(c, 'error="invalid_token"')
  return token
}

/** RFC 6750 §3: what a refusal says to the client's HTTP library. */
const challenge = (c: Context, detail = '') => c.header('WWW-Authenticate', `Bearer ${detail}`.trim())

type KeySet = ReturnType<typeof createLocalJWKSet>

async function verify(
  c: Context,
  token: string,
  { resource }: GuardDecision,
  keys: KeySet,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: `${new URL(c.req.url).origin}/oidc`,
      audience: resource,
      typ: 'at+jwt',
      requiredClaims: ['exp', 'iat', 'client_id'],
    })
    // RFC 9449 §7.1: whoever stole a token that is bound to a key must not get through by calling it a bearer token.
    if (payload.cnf !== undefined) refuseWith('auth.unauthorized')
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) refuseWith('auth.unauthorized')
    throw error
  }
}

/** What its owner may do there now. A token outlives its owner, and the role that made it; here it does not (decision 15). */
async function scopesHeld(
  { applications, db, settings }: Dependencies,
  tenantId: string,
  { type, id }: Principal,
  { iat = 0, client_id: clientId }: JWTPayload,
  { resource, scopes }: GuardDecision,
): Promise<'gone' | readonly string[]> {
  if (type === 'user') {
    const application = await applications.get(JSON.stringify([tenantId, clientId]))
    if (!application && clientId !== DEMO_APP_ID) return 'gone'
    // Consent is given to what an administrator may do as a person, not to running the house for somebody else.
    if (application?.customClientMetadata.isThirdParty) return []
    const [users, held] = await db.batch([
      userQuery(db, tenantId, id),
      userScopesQuery(db, tenantId, id, resource),
    ])
    return isRevoked(users[0], iat) ? 'gone' : held.map(nameOf)
  }
  if (id === MANAGEMENT_CLIENT_ID) return settings.managementClientSecret === undefined ? 'gone' : scopes
  if ((await applications.get(JSON.stringify([tenantId, id]))) === null) return 'gone'
  return (await applicationScopesQuery(db, tenantId, id, resource)).map(nameOf)
}

const nameOf = ({ name }: { name: string }) => name

const scopesOf = ({ scope }: JWTPayload) => (typeof scope === 'string' ? scope.split(' ') : [])

/** The public half of a signing key. */
function toPublic({ d, p, q, dp, dq, qi, oth, k, ...rest }: JWK): JWK {
  return rest
}
