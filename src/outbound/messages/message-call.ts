import type { z } from 'zod'
import { ConnectorFailure } from '../failure.ts'
import { parseJson } from '../provider-answer.ts'
import { type CallContext, callProvider } from '../provider-call.ts'

export type MessageCall = { url: string; headers: Record<string, string>; body: string }

/** The number of characters of a provider's response to log, which is enough to diagnose a failure. */
const DETAIL_LENGTH = 1_000

/**
 * Posts a message to its provider. Returns the response if its status is 2xx. Reads only the beginning of a very long
 * response.
 */
export async function postToProvider(
  { url, headers, body }: MessageCall,
  context: CallContext,
): Promise<string> {
  const { status, text } = await callProvider(url, { method: 'POST', headers, body }, context)
  if (status >= 200 && status < 300) return text
  throw new ConnectorFailure('general', { detail: { status, answer: text.slice(0, DETAIL_LENGTH) } })
}

/**
 * Checks a provider's response, and throws if it does not have the expected shape or reports an error with a 2xx
 * status.
 */
export function checkReceipt<T>(
  response: string,
  shape: Pick<z.ZodType<T>, 'safeParse'>,
  isAccepted: (receipt: T) => boolean = () => true,
): void {
  const parsed = shape.safeParse(parseJson(response))
  if (!parsed.success)
    throw new ConnectorFailure('invalid_response', { detail: response.slice(0, DETAIL_LENGTH) })
  if (!isAccepted(parsed.data)) throw new ConnectorFailure('general', { detail: response })
}
