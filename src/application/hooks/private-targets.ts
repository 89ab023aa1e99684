import type { Dependencies } from '../dependencies.ts'

/**
 * Reads whether hooks and logout tokens may be sent to private addresses and over http. In development, the receiver
 * usually runs on the same machine (spec/connectors#outbound-addresses).
 */
export async function readPrivateTargets(
  { settings, tenantSettings }: Pick<Dependencies, 'settings' | 'tenantSettings'>,
  tenantId: string,
): Promise<{ allowPrivateTargets: boolean }> {
  if (settings.environment === 'development') return { allowPrivateTargets: true }
  const { allowPrivateTargets } = await tenantSettings.get(tenantId)
  return { allowPrivateTargets }
}
