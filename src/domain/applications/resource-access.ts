import { isSameResource } from '../../contract/access/resource-names.ts'
import type { CustomClientMetadata } from '../../contract/applications/applications.ts'
import { BUILT_IN_RESOURCES, CONSOLE_APP_ID, SERVICES_RESOURCE } from '../../contract/product.ts'
import type { AddressProblem } from './application-rules.ts'

/** Seconds. A built-in resource needs a sign-in that is not older (spec/provider#allowed-resources). */
export const RECENT_SIGN_IN = 3600

const builtIn = new Set<string>(BUILT_IN_RESOURCES)

export const isBuiltInResource = (indicator: string): boolean => builtIn.has(indicator)

export type ResourceLists = Pick<
  CustomClientMetadata,
  'allowedResources' | 'allowedBuiltInResources' | 'dynamicRegistration' | 'isThirdParty'
>

/**
 * Whether an application may ask for a token of this resource, in the name of a user or, as a machine, in its own
 * (spec/provider#allowed-resources). What is in the token is decided by roles.
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
 * What a user may have of a resource through an application, of the scopes that the user's roles have. Through the console, which no
 * owner has listed for anything, of the services the tenants alone (ADR-0132).
 */
export const scopesThrough = (
  clientId: string,
  { indicator, scopes }: { indicator: string; scopes: readonly string[] },
): readonly string[] =>
  clientId === CONSOLE_APP_ID && indicator === SERVICES_RESOURCE.indicator
    ? scopes.filter((name) => name === 'manage:tenant')
    : scopes

/** A user consents to data of the own account, not to an administrator's access for a third party. */
export function accessProblems({
  isThirdParty,
  allowedBuiltInResources = [],
  dynamicRegistration,
}: ResourceLists): AddressProblem[] {
  // No operator has seen what it will say of itself tomorrow.
  if (dynamicRegistration && !isThirdParty)
    return [
      { path: ['customClientMetadata', 'isThirdParty'], message: 'must be true of what registered itself' },
    ]
  if (!isThirdParty || allowedBuiltInResources.length === 0) return []
  const path = ['customClientMetadata', 'allowedBuiltInResources']
  return [{ path, message: 'must be empty for a third party' }]
}
