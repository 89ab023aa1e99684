import { managementScopeNames } from '../../contract/access/management-scopes.ts'
import {
  ADMIN_ROLE,
  MANAGEMENT_RESOURCE,
  MANAGEMENT_SCOPE,
  SERVICES_RESOURCE,
  type ServiceScope,
} from '../../contract/product.ts'

/**
 * The scope that makes a user an administrator of the deployment. The other service scopes are for applications, and
 * for users who try out the service.
 */
const DEPLOYMENT_SCOPE: ServiceScope = 'manage:tenant'

const effectiveScopes = new Set<string>(managementScopeNames)

/** The scopes that make a user an operator. No other scope of a built-in API gives access to the tenant. */
export const operatorScopes: readonly { indicator: string; name: string }[] = [
  ...managementScopeNames.map((name) => ({ indicator: MANAGEMENT_RESOURCE.indicator, name })),
  { indicator: SERVICES_RESOURCE.indicator, name: DEPLOYMENT_SCOPE },
]

/** Checks whether a scope of a resource makes its users operators. */
export const isOperatorScope = (indicator: string, name: string): boolean =>
  operatorScopes.some((scope) => scope.indicator === indicator && scope.name === name)

/**
 * Returns the management scopes that a caller would need, but lacks, to change the access of a user with
 * `holderScopes`. Callers cannot grant, revoke or take over permissions that they do not have
 * (spec/management#escalation).
 */
export function findMissingScopes(
  own: ReadonlySet<string>,
  holderScopes: readonly { indicator: string; name: string }[],
): string[] {
  if (own.has(MANAGEMENT_SCOPE.name)) return []
  const needed = holderScopes.flatMap(({ indicator, name }) => {
    if (indicator !== MANAGEMENT_RESOURCE.indicator)
      return name === DEPLOYMENT_SCOPE ? [MANAGEMENT_SCOPE.name] : []
    // Scopes that operators have added to the management resource grant no permissions.
    return effectiveScopes.has(name) ? [name] : []
  })
  return [...new Set(needed)].filter((name) => !own.has(name))
}

const [INTERNAL_PREFIX = ''] = ADMIN_ROLE.name.split(/(?<=:)/)

/**
 * Checks whether a role is internal. Internal roles are part of the product: operators cannot create them, and lists
 * omit them (spec/management#internal-roles).
 */
export const isInternalRole = (name: string): boolean => name.toLowerCase().startsWith(INTERNAL_PREFIX)

/**
 * Returns the name of a role as people read it. The names of internal roles begin with a marker that nobody else sees,
 * so `#internal:support` becomes `support`. Those with all permissions are called owners everywhere.
 */
export function plainRoleName(name: string): string {
  if (!isInternalRole(name)) return name
  return name === ADMIN_ROLE.name ? 'owner' : name.slice(INTERNAL_PREFIX.length)
}

/** Returns the names of roles as claims contain them: sorted, and without internal roles (spec/provider#role-claims). */
export const claimedRoleNames = (names: readonly string[]): string[] =>
  names.filter((name) => !isInternalRole(name)).toSorted()
