import type { CredentialCheck } from '../../contract/connectors/connectors.ts'
import { ConnectorFailure } from '../../outbound/failure.ts'
import { checkClient } from '../../outbound/social/client-check.ts'
import { socialContext } from '../../outbound/social/social-context.ts'
import { tenantNetwork } from '../tenant-network.ts'
import type { AnyConnector } from './connector-descriptions.ts'
import { messageContextOf, type SendingDependencies } from './deliver-message.ts'

type Question = {
  tenantId: string
  config: Record<string, unknown>
  /** The callback address of a social connector. */
  callback: string
}

/** Asks the provider of a connector about credentials (spec/connectors#credential-check). */
export async function askProvider(
  dependencies: SendingDependencies,
  factory: AnyConnector,
  question: Question,
): Promise<CredentialCheck> {
  try {
    return await ask(dependencies, factory, question)
  } catch (error) {
    if (!(error instanceof ConnectorFailure)) throw error
    // The provider's own words are for the log alone.
    return { outcome: 'unreachable', reason: error.detail === 'timed out' ? error.detail : error.code }
  }
}

async function ask(
  dependencies: SendingDependencies,
  factory: AnyConnector,
  { tenantId, config, callback }: Question,
): Promise<CredentialCheck> {
  if ('type' in factory) {
    if (!factory.check) return { outcome: 'unsupported', reason: null }
    return factory.check(config, messageContextOf(dependencies, tenantId))
  }
  const network = tenantNetwork(dependencies, tenantId)
  return checkClient(factory, config, callback, socialContext({ ...dependencies, network }))
}
