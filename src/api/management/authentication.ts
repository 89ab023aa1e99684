import type { Context } from 'hono'
import { readManagementToken, type TokenRequirement } from '../../application/access/management-token.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { claimDpopProof, type DpopProof, readDpopProof } from '../../application/sessions/dpop-proof.ts'
import { getAcceptedScopes, managementScopeNames } from '../../contract/access/management-scopes.ts'
import { resourceChallenge } from '../../contract/applications/protected-resources.ts'
import { MANAGEMENT_RESOURCE } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { changesState } from '../request-context.ts'
import { readToken, setChallenge } from '../token-header.ts'
import type { ManagementContext, ManagementGuard } from './router.ts'

const managementToken: TokenRequirement = {
  resource: MANAGEMENT_RESOURCE.indicator,
  scopes: managementScopeNames,
}

/**
 * Accepts access tokens issued by the tenant's own provider (spec/management#management-authentication). Calls of the
 * management API require a scope for their area (spec/management#scopes-of-api); all other calls require one of the
 * scopes in `requirement`.
 */
export function requireToken(
  dependencies: Dependencies,
  requirement: TokenRequirement = managementToken,
): ManagementGuard {
  return async (c, next) => {
    const isManagement = requirement.resource === MANAGEMENT_RESOURCE.indicator
    const requiredScopes = isManagement ? getAcceptedScopes(c.req.method, c.req.path) : requirement.scopes
    // The challenge names all accepted scopes. A client that requests all of them is granted those that it may have.
    const scope = isManagement ? requiredScopes.join(' ') : (requiredScopes[0] ?? '')
    const challenge = isManagement ? resourceChallenge('/api', c.req.url, scope) : `scope="${scope}"`
    const { scheme, token } = readToken(c, challenge)
    const issuer = `${new URL(c.req.url).origin}/oidc`
    const { tenantId } = c.var
    const { principal, scopes, proof } = await readManagementToken(dependencies, {
      tenantId,
      token,
      issuer,
      requirement,
      keyProof:
        scheme === 'dpop'
          ? { scheme, read: (jkt) => readKeyProof(c, { token, jkt, challenge }) }
          : { scheme },
    })
    if (!requiredScopes.some((name) => scopes.has(name))) {
      setChallenge(c, 'Bearer', `error="insufficient_scope", scope="${scope}"`)
      refuseWith('auth.forbidden')
    }
    if (proof && changesState(c)) await claim(c, proof, challenge)
    // The `WWW-Authenticate` challenge is sent only with error responses.
    c.header('WWW-Authenticate', undefined)
    c.set('principal', principal)
    c.set('scopes', scopes)
    await next()
  }

  async function readKeyProof(
    c: ManagementContext,
    { token, jkt, challenge }: { token: string; jkt: string; challenge: string },
  ): Promise<DpopProof | null> {
    const { method, url } = c.req
    const proof = c.req.header('dpop')
    const validProof = await readDpopProof({ proof, method, url, token, jkt, now: dependencies.now() })
    if (!validProof) setProofChallenge(c, challenge)
    return validProof
  }

  async function claim(c: ManagementContext, proof: DpopProof, challenge: string): Promise<void> {
    if (await claimDpopProof(dependencies.db, { tenantId: c.var.tenantId, api: 'management', proof })) return
    setProofChallenge(c, challenge)
    refuseWith('auth.unauthorized')
  }
}

const setProofChallenge = (c: Context, challenge: string) =>
  setChallenge(c, 'DPoP', `error="invalid_dpop_proof", ${challenge}`)
