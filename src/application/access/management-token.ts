import type { JWTPayload } from 'jose'
import { CONSOLE_APP_ID, MANAGEMENT_CLIENT_ID } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { mayRequestResource } from '../../domain/applications/resource-access.ts'
import { isRevoked } from '../../domain/sessions/revocation.ts'
import { applicationScopesQuery, userScopesQuery } from '../../storage/access/roles.ts'
import { readTogether } from '../../storage/batches.ts'
import { userQuery } from '../../storage/interactions/oidc-reads.ts'
import type { Dependencies } from '../dependencies.ts'
import { type KeyProof, type VerifiedToken, verifyManagementToken } from './verify-management-token.ts'

type TokenDependencies = Pick<Dependencies, 'db' | 'settings' | 'applications' | 'signingKeys'>

/** The caller: an application by itself, or a user through an application. */
export type Principal = { type: 'app'; id: string } | OperatorPrincipal
export type OperatorPrincipal = {
  type: 'user'
  id: string
  clientId: string
  /** Epoch milliseconds, and the level: of the sign-in behind the token, as it says. */
  signedInAt: number | undefined
  level: string | undefined
}

/** The API that a token must be issued for, and the scopes of which it needs at least one. */
export type TokenRequirement = { resource: string; scopes: readonly string[] }

type PresentedToken = {
  tenantId: string
  token: string
  issuer: string
  requirement: TokenRequirement
  shown: KeyProof
}

/**
 * Verifies an access token and checks its owner at the time of the call: a token outlives its owner and the owner's roles,
 * but opens nothing without them (spec/management#management-authentication). `scopes` are those of the requirement that
 * the token has and its owner still has; `proof` is that of its key, not yet claimed.
 */
export async function readManagementToken(
  dependencies: TokenDependencies,
  { tenantId, token, issuer, requirement, shown }: PresentedToken,
): Promise<{ principal: Principal; scopes: ReadonlySet<string>; proof: VerifiedToken['proof'] }> {
  const keys = await dependencies.signingKeys.get(tenantId)
  const expected = { issuer, audience: requirement.resource, keys, shown }
  const { claims, proof } = await verifyManagementToken(token, expected)
  if (!claims.sub) refuseWith('auth.jwt_sub_missing')

  const principal = principalOf(claims.sub, claims)
  const held =
    principal.type === 'app'
      ? await scopesOfApplication(dependencies, tenantId, principal.id, requirement)
      : await scopesOfUser(dependencies, tenantId, claims, requirement)
  if (held === 'revoked') refuseWith('auth.unauthorized')
  const claimed = typeof claims.scope === 'string' ? claims.scope.split(' ') : []
  const scopes = requirement.scopes.filter((name) => held.includes(name) && claimed.includes(name))
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
    // Also the demo application, which has no row and is listed for nothing (spec/provider#allowed-resources).
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
