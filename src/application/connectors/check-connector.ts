import type { z } from 'zod'
import type { ConnectorCheck, ConnectorCheckResult } from '../../contract/connectors/connectors.schema.ts'
import { refuseWith } from '../../contract/refused.ts'
import { callbackAddress } from '../../domain/social/social-state.ts'
import { getConnector, openOrEmpty } from '../../storage/connectors/connectors.ts'
import { completeConfig, refuseBadConfig } from './connector-config.ts'
import { findFactory } from './connector-descriptions.ts'
import type { SendingDependencies } from './deliver-message.ts'
import { refuseDemo } from './demo-descriptions.ts'
import { askProvider } from './provider-check.ts'

type Check = { tenantId: string; id: string; origin: string; given: z.infer<typeof ConnectorCheck> }

/** What the provider of a connector says of its credentials, or of those that it would be given. */
export async function checkConnector(
  dependencies: SendingDependencies,
  { tenantId, id, origin, given }: Check,
): Promise<z.infer<typeof ConnectorCheckResult>> {
  const stored = await getConnector(dependencies, tenantId, id, openOrEmpty)
  if (!stored) await refuseDemo(dependencies, tenantId, id)
  const factory = stored && findFactory(stored.connectorId)
  if (!stored || !factory) refuseWith('entity.not_found')
  const config = given.config ? completeConfig(given.config, stored.config, factory) : stored.config
  refuseBadConfig(dependencies, factory, config)
  return askProvider(dependencies, factory, { tenantId, config, callback: callbackAddress(origin, id) })
}
