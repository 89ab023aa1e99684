import { isSameResource } from '../../contract/access/resource-names.ts'
import { type ProtectedPath, protectedResources } from '../../contract/applications/protected-resources.ts'
import { MANAGEMENT_RESOURCE } from '../../contract/product.ts'
import { getProviderRequest } from '../request-context.ts'

/**
 * Recognises the names under which our own APIs publish their metadata, which are URLs on the host of the request (RFC
 * 9728, spec/provider#protected-resources).
 */

const paths = Object.keys(protectedResources) as ProtectedPath[]

function ownApi(indicator: string): ProtectedPath | undefined {
  const { origin } = new URL(getProviderRequest().request.url)
  return paths.find((path) => isSameResource(indicator, origin + path))
}

/** Reports whether an indicator names the account API, which accepts opaque tokens without a resource (ADR-0141). */
export const isAccountApi = (indicator: string): boolean => ownApi(indicator) === '/api/me'

/** Returns the registered indicator if the name is an alias of the management API, otherwise the unchanged name. */
export const resolveResourceAlias = (indicator: string): string =>
  ownApi(indicator) === '/api' ? MANAGEMENT_RESOURCE.indicator : indicator
