import { MANAGEMENT_SCOPES } from '../../contract/access/management-scopes.ts'
import { type Refusal, refuse } from '../../contract/errors.ts'
import { MANAGEMENT_RESOURCE, SERVICE_SCOPES, SERVICES_RESOURCE } from '../../contract/product.ts'

/**
 * The built-in APIs are resources with scopes like any other. Changes that would lock operators out are rejected with
 * 403 `resource.internal_resource_violation` (spec/management#internal-resources). Operators have to make sure that at
 * least one user keeps these scopes. If there is none, `MANAGEMENT_CLIENT_SECRET` can restore access.
 */
const builtInResources = [MANAGEMENT_RESOURCE, SERVICES_RESOURCE]
const builtInScopes = [...MANAGEMENT_SCOPES, ...SERVICE_SCOPES]

/** The minimum token lifetime. A token that expires sooner could not be used. */
const MIN_TTL = 60 // seconds

export function findResourceProblem(
  id: string,
  change:
    | {
        indicator?: string | undefined
        accessTokenTtl?: number | undefined
        claims?: object | null | undefined
      }
    | 'delete',
): Refusal | null {
  const builtIn = builtInResources.find((resource) => resource.id === id)
  if (!builtIn) return null
  if (change === 'delete') return violation
  const { indicator = builtIn.indicator, accessTokenTtl = MIN_TTL, claims = null } = change
  return indicator === builtIn.indicator && accessTokenTtl >= MIN_TTL && !claims ? null : violation
}

export function findScopeProblem(id: string, change: { name: string } | 'delete'): Refusal | null {
  const builtIn = builtInScopes.find((scope) => scope.id === id)
  if (!builtIn) return null
  return change !== 'delete' && change.name === builtIn.name ? null : violation
}

const violation = refuse('resource.internal_resource_violation')
