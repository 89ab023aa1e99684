import { managementScopeNames } from '../../contract/access/management-scopes.ts'
import {
  ADMIN_ROLE,
  MANAGEMENT_RESOURCE,
  MANAGEMENT_SCOPE,
  SERVICES_RESOURCE,
  type ServiceScope,
} from '../../contract/product.ts'

/** With it, somebody administers the deployment. The others are for applications and for users who try the service. */
const OPERATING: ServiceScope = 'manage:tenant'

const effectiveScopes = new Set<string>(managementScopeNames)

/** Whoever has one of them is an operator. Other scopes of our own APIs open nothing of the tenant. */
export const operatorScopes: readonly { indicator: string; name: string }[] = [
  ...managementScopeNames.map((name) => ({ indicator: MANAGEMENT_RESOURCE.indicator, name })),
  { indicator: SERVICES_RESOURCE.indicator, name: OPERATING },
]

/**
 * What a caller with these scopes of the management API lacks to decide about whoever has those of our own APIs: nobody gives, takes
 * or takes over what is above the own (spec/management#escalation).
 */
export function lackedScopes(
  own: ReadonlySet<string>,
  holderScopes: readonly { indicator: string; name: string }[],
): string[] {
  if (own.has(MANAGEMENT_SCOPE.name)) return []
  const needed = holderScopes.flatMap(({ indicator, name }) => {
    if (indicator !== MANAGEMENT_RESOURCE.indicator) return name === OPERATING ? [MANAGEMENT_SCOPE.name] : []
    // An operator may add scopes to the resource, which open nothing.
    return effectiveScopes.has(name) ? [name] : []
  })
  return [...new Set(needed)].filter((name) => !own.has(name))
}

const [INTERNAL_PREFIX = ''] = ADMIN_ROLE.name.split(/(?<=:)/)

/** Internal roles are part of the product: operators cannot create them, and lists leave them out (spec/management#internal-roles). */
export const isInternalRole = (name: string): boolean => name.toLowerCase().startsWith(INTERNAL_PREFIX)
