/** How oauth4webapi is used (ADR-0058): by which network it calls, and what its errors mean here. */
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
 * Options of one call. Its own network, deadline and rules for addresses go with it, so that nothing the library
 * remembers beyond the request holds them. Whether http is allowed is one of those rules.
 */
export const callOptions = (context: CallContext) => ({
  [allowInsecureRequests]: true,
  async [customFetch](url: string, { method, headers, body }: SocialCall): Promise<Response> {
    const { status, text } = await callSocialProvider(url, { method, headers, body }, context)
    return new Response(text || null, { status })
  },
})

/** spec/connectors#connector-errors. Failures of a call are ours already; most of the library's are about the ID token. */
export function failureOf(error: unknown): ConnectorFailure {
  if (error instanceof ConnectorFailure) return error
  if (error instanceof UnsupportedOperationError)
    return new ConnectorFailure('social_invalid_id_token', { detail: error.message })
  if (!(error instanceof OperationProcessingError))
    return new ConnectorFailure('general', { detail: String(error) })
  const detail = error.message
  if (error.code === RESPONSE_IS_NOT_CONFORM) return new ConnectorFailure('general', { detail })
  const isAboutAnswer =
    error.code === RESPONSE_IS_NOT_JSON || error.code === JSON_ATTRIBUTE_COMPARISON || hasBody(error.cause)
  return new ConnectorFailure(isAboutAnswer ? 'invalid_response' : 'social_invalid_id_token', { detail })
}

/** The library names the answer as the cause where it is not of the right shape. */
const hasBody = (cause: unknown) => isRecord(cause) && 'body' in cause
