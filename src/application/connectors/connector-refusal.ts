import type { ConnectorFailureCode } from '../../contract/connectors/connectors.ts'
import { errorCatalogue, type Refusal, refuse } from '../../contract/errors.ts'
import type { ConnectorFailure } from '../../outbound/failure.ts'

/** The refusal for a connector's failure (spec/errors#connector-failures). */
export function connectorRefusal({ code, data }: ConnectorFailure): Refusal {
  const known: `connector.${ConnectorFailureCode}` = `connector.${code}`
  return refuse(known, data, errorCatalogue[known].status)
}
