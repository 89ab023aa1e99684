import { MANAGEMENT_SCOPES } from '../../contract/access/management-scopes.ts'
import { type Refusal, refuse } from '../../contract/errors.ts'
import { MANAGEMENT_RESOURCE, SERVICE_SCOPES, SERVICES_RESOURCE } from '../../contract/product.ts'

/**
 * Our own APIs are resources with scopes like any other. Changes that would lock operators out are refused with 403
 * `resource.internal_resource_violation` (spec/management#internal-resources). Membership of the role that has the scopes is
 * the operator's responsibility; `MANAGEMENT_CLIENT_SECRET` restores access.
 */
const ourResources = [MANAGEMENT_RESOURCE, SERVICES_RESOURCE]
const ourScopes = [...MANAGEMENT_SCOPES, ...SERVICE_SCOPES]

/** A token must live long enough to be used. */
const MIN_TTL = 60 // seconds

export function resourceProblem(
  id: string,
  change: { indicator?: string | undefined; accessTokenTtl?: number | undefined } | 'delete',
): Refusal | null {
  const ours = ourResources.find((resource) => resource.id === id)
  if (!ours) return null
  if (change === 'delete') return violation
  const { indicator = ours.indicator, accessTokenTtl = MIN_TTL } = change
  return indicator === ours.indicator && accessTokenTtl >= MIN_TTL ? null : violation
}

export function scopeProblem(id: string, change: { name: string } | 'delete'): Refusal | null {
  const ours = ourScopes.find((scope) => scope.id === id)
  if (!ours) return null
  return change !== 'delete' && change.name === ours.name ? null : violation
}

const violation = refuse('resource.internal_resource_violation')
