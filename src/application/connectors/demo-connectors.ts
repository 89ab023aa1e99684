import { toDemos } from '../../domain/social/demo-social.ts'
import type { ConnectorRow } from '../../storage/connectors/connectors.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * Returns a demo connector as if it were installed (ADR-0040). Returns null outside development, and for any id that
 * does not belong to a demo connector.
 */
export async function findDemo(
  { settings, tenantSettings }: Pick<Dependencies, 'settings' | 'tenantSettings'>,
  tenantId: string,
  id: string,
): Promise<ConnectorRow | null> {
  if (settings.environment !== 'development' || !id.startsWith('demo-')) return null
  const { demoSocial } = await tenantSettings.get(tenantId)
  const demo = toDemos(demoSocial).find((other) => other.id === id)
  if (!demo) return null
  return {
    tenantId,
    id,
    connectorId: demo.id,
    config: { clientId: demo.clientId },
    metadata: {},
    syncProfile: false,
    createdAt: 0,
  }
}
