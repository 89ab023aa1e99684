import type { z } from 'zod'
import { ConnectorFailure } from '../failure.ts'
import { parseJson } from '../provider-answer.ts'
import { type CallContext, callProvider } from '../provider-call.ts'

export type MessageCall = { url: string; headers: Record<string, string>; body: string }

/** Enough of an answer to understand a failure by. */
const DETAIL_LENGTH = 1_000

/** POSTs a message to its provider. Any 2xx is an answer; of a very long one the beginning. */
export async function postToProvider(
  { url, headers, body }: MessageCall,
  context: CallContext,
): Promise<string> {
  const { status, text } = await callProvider(url, { method: 'POST', headers, body }, context)
  if (status >= 200 && status < 300) return text
  throw new ConnectorFailure('general', { detail: { status, answer: text.slice(0, DETAIL_LENGTH) } })
}

/** What a provider answers to a message, in the shape that its connector expects. Some refuse in an answer of the same shape. */
export function readReceipt<T>(
  answer: string,
  shape: Pick<z.ZodType<T>, 'safeParse'>,
  isTaken: (receipt: T) => boolean = () => true,
): void {
  const parsed = shape.safeParse(parseJson(answer))
  if (!parsed.success)
    throw new ConnectorFailure('invalid_response', { detail: answer.slice(0, DETAIL_LENGTH) })
  if (!isTaken(parsed.data)) throw new ConnectorFailure('general', { detail: answer })
}
