import { RefusalError } from '../../contract/refused.ts'
import { maskQuoted } from '../../domain/masking.ts'
import { ConnectorFailure } from '../../outbound/failure.ts'
import type { ConnectorRow } from '../../storage/connectors/connectors.ts'
import { logEvent } from '../../storage/event-log.ts'
import { connectorRefusal } from '../connectors/connector-refusal.ts'

/** A provider's failure is refused (spec/errors#connector-failures); its own words are for the log alone. */
export async function refuseFailures<T>(
  { id, connectorId, config }: ConnectorRow,
  sent: unknown,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ConnectorFailure)) throw error
    const { code } = error
    const detail = maskQuoted(error.detail, [config, sent])
    logEvent('social_failed', { connectorId: id, factoryId: connectorId, reason: code, detail })
    throw new RefusalError(connectorRefusal(error))
  }
}
