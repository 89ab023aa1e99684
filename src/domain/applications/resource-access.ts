import { isSameResource } from '../../contract/access/resource-names.ts'
import type { CustomClientMetadata } from '../../contract/applications/applications.ts'
import { BUILT_IN_RESOURCES, CONSOLE_APP_ID, SERVICES_RESOURCE } from '../../contract/product.ts'
import type { MetadataProblem } from './application-rules.ts'

/**
 * The maximum age of the sign-in behind a token for a built-in resource, in seconds (spec/provider#allowed-resources).
 */
export const MAX_SIGN_IN_AGE_SECONDS = 3600

const builtIn = new Set<string>(BUILT_IN_RESOURCES)

export const isBuiltInResource = (indicator: string): boolean => builtIn.has(indicator)

export type ResourceLists = Pick<
  CustomClientMetadata,
  'allowedResources' | 'allowedBuiltInResources' | 'dynamicRegistration' | 'isThirdParty'
>

/**
 * Checks whether an application may request a token for this resource, either for a user or, as a machine-to-machine
 * application, for itself (spec/provider#allowed-resources). Roles determine the scopes of the token.
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
 * Restricts the scopes that the user's roles grant on a resource to those that the application may receive. On the
 * services API, the console receives only the scope for managing tenants, because no owner has given it access to any
 * resource (ADR-0132).
 */
export const scopesForClient = (
  clientId: string,
  { indicator, scopes }: { indicator: string; scopes: readonly string[] },
): readonly string[] =>
  clientId === CONSOLE_APP_ID && indicator === SERVICES_RESOURCE.indicator
    ? scopes.filter((name) => name === 'manage:tenant')
    : scopes

/**
 * Returns problems with an application's access to built-in resources. Users can consent to the use of their own data,
 * but they must not give administrator access to a third party.
 */
export function findAccessProblems({
  isThirdParty,
  allowedBuiltInResources = [],
  dynamicRegistration,
}: ResourceLists): MetadataProblem[] {
  // A client that registered itself can change its metadata at any time without an operator noticing.
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
