import { matchesAuthorizationUrl } from '../../domain/social/provider-address.ts'
import { buildCallbackUrl } from '../../domain/social/social-state.ts'
import { getConnector } from '../../storage/connectors/connectors.ts'
import type { Dependencies } from '../dependencies.ts'

/** Checks whether a URL is an authorization request to the connector's provider (spec/connectors#landing). */
export async function isAuthorizationUrl(
  dependencies: Dependencies,
  { tenantId, connectorId, origin }: { tenantId: string; connectorId: string; origin: string },
  address: URL,
): Promise<boolean> {
  const connector = await getConnector(dependencies, tenantId, connectorId)
  // Loaded on demand, because there are many connector modules and few requests use them.
  const [{ findSocialConnector }, { createSocialContext }] = await Promise.all([
    import('../../outbound/index.ts'),
    import('../../outbound/social/social-context.ts'),
  ])
  const factory = connector && findSocialConnector(connector.connectorId)
  if (!factory) return false
  const redirectUri = buildCallbackUrl(origin, connectorId)
  try {
    const { uri } = await factory.authorizationUri(
      connector.config,
      { state: '-', redirectUri },
      createSocialContext(dependencies),
    )
    return matchesAuthorizationUrl(address, new URL(uri))
  } catch {
    // If the connector's configuration does not yield a URL, all URLs are rejected.
    return false
  }
}
