import type { ConnectorFailure } from '../connectors/failure.ts'
import type { ConnectorFailureCode } from '../contract/connectors.ts'
import { errors, type Refusal, refuse } from '../contract/errors.ts'

/** What went wrong in a connector, as an answer (contract 7.3). */
export function connectorRefusal({ code, data }: ConnectorFailure): Refusal {
  const known: `connector.${ConnectorFailureCode}` = `connector.${code}`
  return refuse(known, data, errors[known].status)
}
