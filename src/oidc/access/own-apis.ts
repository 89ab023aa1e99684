import { isSameResource } from '../../contract/access/resource-names.ts'
import { type ProtectedPath, protectedResources } from '../../contract/applications/protected-resources.ts'
import { MANAGEMENT_RESOURCE } from '../../contract/product.ts'
import { providerRequest } from '../request-context.ts'

/**
 * Our own APIs as clients name them who follow their metadata (RFC 9728, spec/provider#protected-resources): by their address
 * at the host of the request.
 */

const paths = Object.keys(protectedResources) as ProtectedPath[]

function ownApi(indicator: string): ProtectedPath | undefined {
  const { origin } = new URL(providerRequest().request.url)
  return paths.find((path) => isSameResource(indicator, origin + path))
}

/** The account API takes the opaque tokens that have no resource (ADR-0141). */
export const isAccountApi = (indicator: string): boolean => ownApi(indicator) === '/api/me'

/** The indicator of the resource that is meant; any other name stays as it is. */
export const withoutAlias = (indicator: string): string =>
  ownApi(indicator) === '/api' ? MANAGEMENT_RESOURCE.indicator : indicator
