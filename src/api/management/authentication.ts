import type { Context } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import { readManagementToken, type TokenRequirement } from '../../application/management-token.ts'
import { MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE } from '../../contract/product.ts'
import { resourceChallenge } from '../../contract/protected-resources.ts'
import { refuseWith } from '../../contract/refused.ts'
import type { ManagementGuard } from './router.ts'

const managementToken: TokenRequirement = {
  resource: MANAGEMENT_RESOURCE.indicator,
  scopes: [MANAGEMENT_SCOPE.name],
}

/** Accepts access tokens of the tenant's own provider (spec/management#management-authentication). */
export function requireToken(
  dependencies: Dependencies,
  requirement: TokenRequirement = managementToken,
): ManagementGuard {
  return async (c, next) => {
    const isManagement = requirement.resource === MANAGEMENT_RESOURCE.indicator
    const [scope] = requirement.scopes
    const token = readBearer(
      c,
      isManagement ? resourceChallenge('/api', c.req.url, scope) : `scope="${scope}"`,
    )
    const issuer = `${new URL(c.req.url).origin}/oidc`
    const { tenantId } = c.var
    const { principal, scopes } = await readManagementToken(dependencies, {
      tenantId,
      token,
      issuer,
      requirement,
    })
    if (scopes.size === 0) {
      setChallenge(c, `error="insufficient_scope", scope="${scope}"`)
      refuseWith('auth.forbidden')
    }
    // The challenge belongs to refusals.
    c.header('WWW-Authenticate', undefined)
    c.set('principal', principal)
    c.set('scopes', scopes)
    await next()
  }
}

function readBearer(c: Context, wanted: string): string {
  setChallenge(c, wanted)
  const header = c.req.header('authorization')
  if (!header) refuseWith('auth.authorization_header_missing')
  const [scheme = '', token = ''] = header.split(/ +/, 2)
  if (scheme.toLowerCase() !== 'bearer') {
    refuseWith('auth.authorization_token_type_not_supported', { supportedTypes: ['Bearer'] })
  }
  setChallenge(c, `error="invalid_token", ${wanted}`)
  return token
}

/** RFC 6750 §3. */
const setChallenge = (c: Context, detail: string) => c.header('WWW-Authenticate', `Bearer ${detail}`)
