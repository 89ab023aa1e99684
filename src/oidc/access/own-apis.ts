import { isSameResource } from '../../contract/access/resource-names.ts'
import { type ProtectedPath, protectedResources } from '../../contract/applications/protected-resources.ts'
import { MANAGEMENT_RESOURCE } from '../../contract/product.ts'
import { providerRequest } from '../request-context.ts'

/**
 * Recognizes our own APIs by the names that their metadata gives them, which are their URLs at the host of the request
 * (RFC 9728, spec/provider#protected-resources).
 */

const paths = Object.keys(protectedResources) as ProtectedPath[]

function ownApi(indicator: string): ProtectedPath | undefined {
  const { origin } = new URL(providerRequest().request.url)
  return paths.find((path) => isSameResource(indicator, origin + path))
}

/** Returns whether an indicator is the account API, which accepts opaque tokens without a resource (ADR-0141). */
export const isAccountApi = (indicator: string): boolean => ownApi(indicator) === '/api/me'

/** Returns the indicator of the resource that an alias refers to; any other name is returned unchanged. */
export const withoutAlias = (indicator: string): string =>
  ownApi(indicator) === '/api' ? MANAGEMENT_RESOURCE.indicator : indicator
