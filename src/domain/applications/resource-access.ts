import { isSameResource } from '../../contract/access/resource-names.ts'
import type { CustomClientMetadata } from '../../contract/applications/applications.ts'
import { BUILT_IN_RESOURCES, CONSOLE_APP_ID, SERVICES_RESOURCE } from '../../contract/product.ts'
import type { AddressProblem } from './application-rules.ts'

/**
 * The maximum age, in seconds, of the sign-in behind a token for a built-in resource (spec/provider#allowed-resources).
 */
export const MAX_SIGN_IN_AGE_SECONDS = 3600

const builtIn = new Set<string>(BUILT_IN_RESOURCES)

export const isBuiltInResource = (indicator: string): boolean => builtIn.has(indicator)

export type ResourceLists = Pick<
  CustomClientMetadata,
  'allowedResources' | 'allowedBuiltInResources' | 'dynamicRegistration' | 'isThirdParty'
>

/**
 * Checks whether an application may request a token for this resource, for a user or, as a machine, for itself
 * (spec/provider#allowed-resources). Roles decide what the token contains.
 */
export function mayRequestResource(
  { allowedResources, allowedBuiltInResources = [], isThirdParty }: ResourceLists,
  indicator: string,
  owner: 'user' | 'application',
): boolean {
  if (!isBuiltInResource(indicator))
    return allowedResources?.some((listed) => isSameResource(listed, indicator)) ?? true
  if (owner === 'application') return true
  return !isThirdParty && allowedBuiltInResources.some((listed) => listed === indicator)
}

/**
 * Returns the scopes of a resource that a user can have through an application, out of those from the user's roles.
 * Through the console, only the scope for tenants of the services API is available, because no owner has listed the
 * console for anything (ADR-0132).
 */
export const scopesForClient = (
  clientId: string,
  { indicator, scopes }: { indicator: string; scopes: readonly string[] },
): readonly string[] =>
  clientId === CONSOLE_APP_ID && indicator === SERVICES_RESOURCE.indicator
    ? scopes.filter((name) => name === 'manage:tenant')
    : scopes

/** Users can consent to the use of their own data, but not to an administrator's access for a third party. */
export function accessProblems({
  isThirdParty,
  allowedBuiltInResources = [],
  dynamicRegistration,
}: ResourceLists): AddressProblem[] {
  // The client can change what it says about itself at any time, without an operator seeing it.
  if (dynamicRegistration && !isThirdParty)
    return [
      {
        path: ['customClientMetadata', 'isThirdParty'],
        message: 'must be true for applications that registered themselves',
      },
    ]
  if (!isThirdParty || allowedBuiltInResources.length === 0) return []
  const path = ['customClientMetadata', 'allowedBuiltInResources']
  return [{ path, message: 'must be empty for third-party applications' }]
}
