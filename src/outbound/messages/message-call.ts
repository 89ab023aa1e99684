import type { z } from 'zod'
import type { FailureReason } from '../../contract/connectors/connectors.ts'
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
  throw new ConnectorFailure('general', {
    detail: { status, answer: text.slice(0, DETAIL_LENGTH) },
    reason: reasonOf(status),
    answer: `${status} ${isPage(text) ? '' : text}`,
  })
}

/** 404 means that the configured address, domain or account does not exist. */
const reasonsByStatus: Readonly<Record<number, FailureReason>> = {
  401: 'credentials',
  403: 'credentials',
  404: 'unreadable',
  408: 'timeout',
  429: 'busy',
  // Cloudflare answers with these if the provider's server cannot be reached.
  521: 'unreachable',
  522: 'timeout',
  523: 'unreachable',
  524: 'timeout',
  525: 'certificate',
  526: 'certificate',
  530: 'unreachable',
}

const reasonOf = (status: number): FailureReason =>
  reasonsByStatus[status] ?? (status >= 500 ? 'busy' : 'message')

/** Error pages of gateways are too long to read in one line. */
const isPage = (text: string) => text.trimStart().startsWith('<')

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
  if (!isAccepted(parsed.data))
    throw new ConnectorFailure('general', {
      detail: response.slice(0, DETAIL_LENGTH),
      reason: 'message',
      answer: response,
    })
}
