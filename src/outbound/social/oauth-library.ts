/** Adapts oauth4webapi to our network access and our errors (ADR-0058). */
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
 * Returns the options for one library call: the network, the deadline and the URL rules, including whether http is
 * allowed. Every call passes them, so that the library's caches do not depend on them.
 */
export const libraryCallOptions = (context: CallContext) => ({
  [allowInsecureRequests]: true,
  async [customFetch](url: string, { method, headers, body }: SocialCall): Promise<Response> {
    const { status, text } = await callSocialProvider(url, { method, headers, body }, context)
    return new Response(text || null, { status })
  },
})

/**
 * Converts an error to a connector failure (spec/connectors#connector-errors). Failed calls already throw connector
 * failures. Most errors of the library itself are about the ID token.
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
