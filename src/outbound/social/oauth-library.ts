/** Adapts oauth4webapi to this product (ADR-0058): its network access and its errors. */
import {
  allowInsecureRequests,
  customFetch,
  JSON_ATTRIBUTE_COMPARISON,
  OperationProcessingError,
  RESPONSE_IS_NOT_CONFORM,
  RESPONSE_IS_NOT_JSON,
  UnsupportedOperationError,
} from 'oauth4webapi'
import { isRecord } from '../../contract/is-record.ts'
import { ConnectorFailure } from '../failure.ts'
import type { CallContext } from '../provider-call.ts'
import { callSocialProvider, type SocialCall } from './social-call.ts'

/**
 * Returns the options of one call of the library. They contain the network, the deadline and the rules for URLs,
 * including whether http is allowed, so that nothing the library keeps after the request depends on them.
 */
export const callOptions = (context: CallContext) => ({
  [allowInsecureRequests]: true,
  async [customFetch](url: string, { method, headers, body }: SocialCall): Promise<Response> {
    const { status, text } = await callSocialProvider(url, { method, headers, body }, context)
    return new Response(text || null, { status })
  },
})

/**
 * Converts an error to a connector failure (spec/connectors#connector-errors). Errors of a call already are connector
 * failures; most errors of the library concern the ID token.
 */
export function toConnectorFailure(error: unknown): ConnectorFailure {
  if (error instanceof ConnectorFailure) return error
  if (error instanceof UnsupportedOperationError)
    return new ConnectorFailure('social_invalid_id_token', { detail: error.message })
  if (!(error instanceof OperationProcessingError))
    return new ConnectorFailure('general', { detail: String(error) })
  const detail = error.message
  if (error.code === RESPONSE_IS_NOT_CONFORM) return new ConnectorFailure('general', { detail })
  const isResponseError =
    error.code === RESPONSE_IS_NOT_JSON || error.code === JSON_ATTRIBUTE_COMPARISON || hasBody(error.cause)
  return new ConnectorFailure(isResponseError ? 'invalid_response' : 'social_invalid_id_token', { detail })
}

/** If a response has the wrong shape, the library's error has the response as its cause. */
const hasBody = (cause: unknown) => isRecord(cause) && 'body' in cause
