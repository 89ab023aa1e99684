import { leadsToProvider } from '../../domain/social/provider-address.ts'
import { callbackAddress } from '../../domain/social/social-state.ts'
import { getConnector } from '../../storage/connectors/connectors.ts'
import type { Dependencies } from '../dependencies.ts'

/** Checks whether an address is an authorization request to the provider of the connector (spec/connectors#landing). */
export async function isAuthorizationAddress(
  dependencies: Dependencies,
  { tenantId, connectorId, origin }: { tenantId: string; connectorId: string; origin: string },
  address: URL,
): Promise<boolean> {
  const connector = await getConnector(dependencies, tenantId, connectorId)
  // There are many connector modules, and few requests need them.
  const [{ findSocialConnector }, { createSocialContext }] = await Promise.all([
    import('../../outbound/index.ts'),
    import('../../outbound/social/social-context.ts'),
  ])
  const factory = connector && findSocialConnector(connector.connectorId)
  if (!factory) return false
  const redirectUri = callbackAddress(origin, connectorId)
  try {
    const { uri } = await factory.authorizationUri(
      connector.config,
      { state: '-', redirectUri },
      createSocialContext(dependencies),
    )
    return leadsToProvider(address, new URL(uri))
  } catch {
    // If the configuration of the connector yields no address, no address is allowed.
    return false
  }
}
