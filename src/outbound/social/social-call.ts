import { isRecord } from '../../contract/is-record.ts'
import { PRODUCT_NAME } from '../../contract/product.ts'
import { ConnectorFailure } from '../failure.ts'
import { parseForm, parseJson } from '../provider-answer.ts'
import { type CallContext, callProvider, type ProviderResponse } from '../provider-call.ts'

export type SocialCall = {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | URLSearchParams | undefined
}

/** Calls a social provider. The call has a user agent, because GitHub rejects calls without one. */
export async function callSocialProvider(
  url: string,
  { headers, ...call }: SocialCall,
  context: CallContext,
): Promise<ProviderResponse> {
  const answer = await callProvider(
    url,
    { ...call, headers: { ...headers, 'user-agent': PRODUCT_NAME } },
    context,
  )
  if (!answer.isWhole) throw new ConnectorFailure('invalid_response', { detail: 'too long' })
  return answer
}

/** The number of characters of a provider's error to log, which is enough to understand the error. */
const REASON_LENGTH = 500
const UNAUTHORIZED = 401
const TOO_MANY_REQUESTS = 429

/**
 * Checks a response of the token endpoint. Throws one error if the provider rejected the code (RFC 6749 §5.2), and
 * another if the request failed. Some providers reject codes with the status 200, and a few of these with a
 * form-encoded body.
 */
export function throwIfTokenRejected({ status, text }: ProviderResponse): void {
  const detail = { status, text: text.slice(0, REASON_LENGTH) }
  if (status >= 500 || status === TOO_MANY_REQUESTS) throw new ConnectorFailure('general', { detail })
  if (status >= 400 || hasError(parseJson(text) ?? parseForm(text)))
    throw new ConnectorFailure('social_auth_code_invalid', { detail })
}

const hasError = (answer: unknown) => isRecord(answer) && Boolean(answer.error)

/**
 * Fetches the profile of the access token's owner. `refusals` are the HTTP statuses with which the provider rejects a
 * token.
 */
export async function fetchProfile(
  url: string,
  call: SocialCall,
  context: CallContext,
  refusals: readonly number[] = [UNAUTHORIZED],
): Promise<ProviderResponse> {
  const answer = await callSocialProvider(url, call, context)
  const { status, text } = answer
  if (status < 400) return answer
  throw new ConnectorFailure(refusals.includes(status) ? 'social_invalid_access_token' : 'general', {
    detail: { status, text: text.slice(0, REASON_LENGTH) },
  })
}
