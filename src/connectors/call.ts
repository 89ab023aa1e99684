import { ConnectorFailure } from './failure.ts'
import { type ConnectorContext, refusePrivateTargets } from './message.ts'

export type Call = { url: string; headers: Record<string, string>; body: string }

/** Enough of an answer to understand a failure by. */
const DETAIL_LENGTH = 1_000

/**
 * POSTs to a provider and answers what it said. Whatever is not a 2xx is a failure, and so is a redirect: it would carry
 * the code and the credentials to an address nobody configured.
 */
export async function post({ url, headers, body }: Call, context: ConnectorContext): Promise<string> {
  refusePrivateTargets({ endpoint: url }, context)
  const signal = AbortSignal.timeout(context.timeout)
  try {
    const response = await context.fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    const answer = await response.text()
    if (response.ok) return answer
    throw new ConnectorFailure(isRedirect(response) ? 'invalid_response' : 'general', {
      detail: { status: response.status, answer: answer.slice(0, DETAIL_LENGTH) },
    })
  } catch (error) {
    if (error instanceof ConnectorFailure) throw error
    throw new ConnectorFailure('general', { detail: signal.aborted ? 'timed out' : String(error) })
  }
}

const isRedirect = ({ status }: Response) => status >= 300 && status < 400

/** What a provider says when it took the message, as its connector expects it. */
export function understood<T>(
  answer: string,
  shape: { safeParse(value: unknown): { success: true; data: T } | { success: false } },
): T {
  const parsed = shape.safeParse(parseJson(answer))
  if (parsed.success) return parsed.data
  throw new ConnectorFailure('invalid_response', { detail: answer.slice(0, DETAIL_LENGTH) })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const basic = (user: string, password: string) => `Basic ${toBase64(`${user}:${password}`)}`

/** Of the UTF-8 of a text: `btoa` alone refuses what is not Latin. */
export const toBase64 = (text: string) => bytesToBase64(new TextEncoder().encode(text))

export const bytesToBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
