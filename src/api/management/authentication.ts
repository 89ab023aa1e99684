import type { Context, MiddlewareHandler } from 'hono'
import { createLocalJWKSet, errors, type JWK, type JWTPayload, jwtVerify } from 'jose'
import { MANAGEMENT_CLIENT_ID, MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { isRevoked } from '../../domain/revocation.ts'
import type { Services } from '../../env.ts'
import type { SigningKeys } from '../../oidc/keys.ts'
import { userQuery } from '../../storage/oidc-models.ts'
import { applicationScopesQuery, userScopesQuery } from '../../storage/roles.ts'
import type { AuditVariables } from '../audit-trail.ts'

/** Who calls: an application by itself, or a user through one (contract 8.1). */
export type Principal = { type: 'app' | 'user'; id: string }

export type ManagementVariables = AuditVariables & { principal: Principal }
export type Gate = MiddlewareHandler<{ Variables: ManagementVariables }>

/** The management API is open to access tokens of our own provider, made for it, with its one scope (decision 35). */
export function authenticate(services: Services): Gate {
  const { signingKeys } = services
  const keySets = createKeySets()

  return async (c, next) => {
    const token = readBearer(c)
    const keys = keySets.of(c.var.tenantId, await signingKeys.get(c.var.tenantId))
    const claims = await verify(c, token, keys)
    if (!claims.sub) refuseWith('auth.jwt_sub_missing')

    const principal: Principal = { type: claims.sub === claims.client_id ? 'app' : 'user', id: claims.sub }
    const standing = await standingOf(services, c.var.tenantId, principal, claims)
    if (standing === 'gone') refuseWith('auth.unauthorized')
    if (standing === 'powerless' || !scopesOf(claims).includes(MANAGEMENT_SCOPE.name)) {
      challenge(c, `error="insufficient_scope", scope="${MANAGEMENT_SCOPE.name}"`)
      refuseWith('auth.forbidden')
    }
    // The challenge was for those who did not get here.
    c.header('WWW-Authenticate', undefined)
    c.set('principal', principal)
    await next()
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

/** RFC 6750, 3: what a refusal says to the client's HTTP library. */
const challenge = (c: Context, detail = '') => c.header('WWW-Authenticate', `Bearer ${detail}`.trim())

type KeySet = ReturnType<typeof createLocalJWKSet>

async function verify(c: Context, token: string, keys: KeySet): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: `${new URL(c.req.url).origin}/oidc`,
      audience: MANAGEMENT_RESOURCE.indicator,
      typ: 'at+jwt',
      requiredClaims: ['exp', 'iat', 'client_id'],
    })
    // RFC 9449, 7.1: whoever stole a token that is bound to a key must not get through by calling it a bearer token.
    if (payload.cnf !== undefined) refuseWith('auth.unauthorized')
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) refuseWith('auth.unauthorized')
    throw error
  }
}

/** A token outlives its owner, and the role that made it; here it does not (decision 15). */
async function standingOf(
  { applications, db, settings }: Services,
  tenantId: string,
  { type, id }: Principal,
  { iat = 0 }: JWTPayload,
): Promise<'gone' | 'powerless' | 'manager'> {
  const { indicator } = MANAGEMENT_RESOURCE
  if (type === 'user') {
    const [users, scopes] = await db.batch([
      userQuery(db, tenantId, id),
      userScopesQuery(db, tenantId, id, indicator),
    ])
    if (isRevoked(users[0], iat)) return 'gone'
    return scopes.some(isManagementScope) ? 'manager' : 'powerless'
  }
  if (id === MANAGEMENT_CLIENT_ID) return settings.managementClientSecret === undefined ? 'gone' : 'manager'
  if ((await applications.get(JSON.stringify([tenantId, id]))) === null) return 'gone'
  const scopes = await applicationScopesQuery(db, tenantId, id, indicator)
  return scopes.some(isManagementScope) ? 'manager' : 'powerless'
}

const isManagementScope = ({ name }: { name: string }) => name === MANAGEMENT_SCOPE.name

const scopesOf = ({ scope }: JWTPayload) => (typeof scope === 'string' ? scope.split(' ') : [])

/** The public halves of the signing keys, made again only when the keys have changed. */
function createKeySets() {
  const known = new Map<string, { version: string; keys: KeySet }>()
  return {
    of(tenantId: string, { version, jwks }: SigningKeys): KeySet {
      const before = known.get(tenantId)
      if (before?.version === version) return before.keys
      const keys = createLocalJWKSet({ keys: jwks.keys.map(toPublic) })
      known.set(tenantId, { version, keys })
      return keys
    },
  }
}

function toPublic({ d, p, q, dp, dq, qi, oth, k, ...rest }: JWK): JWK {
  return rest
}
