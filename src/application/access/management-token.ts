import { createLocalJWKSet, errors, type JWK, type JWTPayload, jwtVerify } from 'jose'
import { isRecord } from '../../contract/is-record.ts'
import { CONSOLE_APP_ID, MANAGEMENT_CLIENT_ID } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { mayRequestResource } from '../../domain/applications/resource-access.ts'
import { isRevoked } from '../../domain/sessions/revocation.ts'
import { applicationScopesQuery, userScopesQuery } from '../../storage/access/roles.ts'
import { readTogether } from '../../storage/batches.ts'
import { userQuery } from '../../storage/interactions/oidc-reads.ts'
import type { SigningKeys } from '../../storage/tenants/signing-keys.ts'
import type { Dependencies } from '../dependencies.ts'
import type { DpopProof } from '../sessions/dpop-proof.ts'

type TokenDependencies = Pick<Dependencies, 'db' | 'settings' | 'applications' | 'signingKeys'>

/** The caller: an application acting on its own behalf, or a user who acts through an application. */
export type Principal = { type: 'app'; id: string } | OperatorPrincipal
type OperatorPrincipal = {
  type: 'user'
  id: string
  clientId: string
  /** The time at which the user signed in to get this token, in epoch milliseconds. */
  signedInAt: number | undefined
  /** The authentication level of the user's sign-in. */
  level: string | undefined
}

/**
 * The API for which a token must have been issued, and the accepted scopes, of which the token must have at least one.
 */
export type TokenRequirement = { resource: string; scopes: readonly string[] }

type PresentedToken = {
  tenantId: string
  token: string
  issuer: string
  requirement: TokenRequirement
  keyProof: KeyProof
}

/**
 * Verifies an access token and checks that its owner still has the required permissions. A token may outlive its owner
 * or the owner's roles, but is then useless (spec/management#management-authentication). In the result, `scopes` are
 * the required scopes that the token contains and its owner still has, and `proof` is the token's unclaimed DPoP proof.
 */
export async function readManagementToken(
  dependencies: TokenDependencies,
  { tenantId, token, issuer, requirement, keyProof }: PresentedToken,
): Promise<{ principal: Principal; scopes: ReadonlySet<string>; proof: VerifiedToken['proof'] }> {
  const keys = await dependencies.signingKeys.get(tenantId)
  const expected = { issuer, audience: requirement.resource, keys, keyProof }
  const { claims, proof } = await verifyManagementToken(token, expected)
  if (!claims.sub) refuseWith('auth.jwt_sub_missing')

  const principal = principalOf(claims.sub, claims)
  const ownScopes =
    principal.type === 'app'
      ? await scopesOfApplication(dependencies, tenantId, principal.id, requirement)
      : await scopesOfUser(dependencies, tenantId, claims, requirement)
  if (ownScopes === 'revoked') refuseWith('auth.unauthorized')
  const tokenScopes = typeof claims.scope === 'string' ? claims.scope.split(' ') : []
  const scopes = requirement.scopes.filter((name) => ownScopes.includes(name) && tokenScopes.includes(name))
  return { principal, scopes: new Set(scopes), proof }
}

function principalOf(id: string, { client_id: clientId, auth_time: signedInAt, acr }: JWTPayload): Principal {
  if (id === clientId) return { type: 'app', id }
  return {
    type: 'user',
    id,
    clientId: String(clientId),
    signedInAt: typeof signedInAt === 'number' ? signedInAt * 1000 : undefined,
    level: typeof acr === 'string' ? acr : undefined,
  }
}

async function scopesOfUser(
  { applications, db }: TokenDependencies,
  tenantId: string,
  { sub: userId = '', iat = 0, client_id: clientId }: JWTPayload,
  { resource }: TokenRequirement,
): Promise<'revoked' | readonly string[]> {
  if (clientId !== CONSOLE_APP_ID) {
    const application = await applications.get(JSON.stringify([tenantId, clientId]))
    // The demo application has no row, but it has no allowed resources anyway (spec/provider#allowed-resources).
    if (!application) return 'revoked'
    if (!mayRequestResource(application.customClientMetadata, resource, 'user')) return []
  }
  const { user, scopes } = await readTogether(db, {
    user: userQuery(db, tenantId, userId),
    scopes: userScopesQuery(db, tenantId, userId, resource),
  })
  return isRevoked(user[0], { madeAt: iat, exemptedAt: undefined })
    ? 'revoked'
    : scopes.map(({ name }) => name)
}

async function scopesOfApplication(
  { applications, db, settings }: TokenDependencies,
  tenantId: string,
  id: string,
  { resource, scopes }: TokenRequirement,
): Promise<'revoked' | readonly string[]> {
  if (id === MANAGEMENT_CLIENT_ID) return settings.managementClientSecret === undefined ? 'revoked' : scopes
  if ((await applications.get(JSON.stringify([tenantId, id]))) === null) return 'revoked'
  return (await applicationScopesQuery(db, tenantId, id, resource)).map(({ name }) => name)
}

/** The way in which a token was presented: as a bearer token, or with a DPoP proof (RFC 9449 §7.1). */
type KeyProof = { scheme: 'bearer' } | { scheme: 'dpop'; read: (jkt: string) => Promise<DpopProof | null> }

type VerifiedToken = { claims: JWTPayload; proof: DpopProof | null }

type Expected = {
  issuer: string
  audience: string
  keys: Parameters<typeof getKeySet>[0]
  keyProof: KeyProof
}

/**
 * Verifies that this tenant issued the token for the audience (RFC 9068 §4) and that the token was presented correctly.
 * Returns its claims and, if the token is DPoP-bound, its unclaimed DPoP proof.
 */
async function verifyManagementToken(
  token: string,
  { issuer, audience, keys, keyProof }: Expected,
): Promise<VerifiedToken> {
  const claims = await verifySignature(token, { issuer, audience }, keys)
  return { claims, proof: await readKeyProof(claims, keyProof) }
}

async function verifySignature(
  token: string,
  expected: { issuer: string; audience: string },
  keys: Expected['keys'],
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, getKeySet(keys), {
      ...expected,
      typ: 'at+jwt',
      requiredClaims: ['exp', 'iat', 'client_id'],
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) refuseWith('auth.unauthorized')
    throw error
  }
}

/**
 * Reads a token's DPoP proof. Rejects a DPoP-bound token that is presented as a bearer token, because it may have been
 * stolen (RFC 9449 §7.1).
 */
async function readKeyProof({ cnf }: JWTPayload, keyProof: KeyProof): Promise<DpopProof | null> {
  const jkt = isRecord(cnf) && typeof cnf.jkt === 'string' ? cnf.jkt : undefined
  if (cnf !== undefined && jkt === undefined) refuseWith('auth.unauthorized')
  if ((keyProof.scheme === 'dpop') !== (jkt !== undefined)) refuseWith('auth.unauthorized')
  if (keyProof.scheme === 'bearer' || jkt === undefined) return null
  return (await keyProof.read(jkt)) ?? refuseWith('auth.unauthorized')
}

type KeySet = ReturnType<typeof createLocalJWKSet>

/** A cache of key sets. Each is kept as long as the signing keys from which it was created. */
const keySets = new WeakMap<SigningKeys, KeySet>()

/** Returns the key set that verifies the tokens of a tenant. */
export function getKeySet(keys: SigningKeys): KeySet {
  const keySet = keySets.get(keys) ?? createLocalJWKSet({ keys: keys.jwks.keys.map(publicKeyOf) })
  keySets.set(keys, keySet)
  return keySet
}

const publicKeyOf = ({ d, p, q, dp, dq, qi, oth, k, ...rest }: JWK): JWK => rest
