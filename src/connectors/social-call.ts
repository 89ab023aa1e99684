import type { z } from 'zod'
import { outboundProblem } from '../domain/outbound-address.ts'
import { ConnectorFailure } from './failure.ts'
import type { SocialContext } from './social.ts'

/** Enough of a provider's refusal to understand it by. */
export const REASON_LENGTH = 500
/** More than any token or profile; a provider that sends more is not read to its end. */
const ANSWER_MAX_BYTES = 256 * 1024

export type ProviderAnswer = { status: number; text: string }

/** Asks a provider. Answers of any status; a redirect, a timeout and an unreachable server are failures. */
export async function ask(
  url: string,
  init: { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string },
  context: SocialContext,
): Promise<ProviderAnswer> {
  const problem = outboundProblem(url, context)
  if (problem)
    throw new ConnectorFailure('invalid_config', {
      data: { issues: [{ path: 'endpoint', message: problem }] },
    })

  const own = AbortSignal.timeout(context.timeout)
  const signal = context.deadline ? AbortSignal.any([own, context.deadline]) : own
  try {
    const response = await context.fetch(url, { method: 'GET', ...init, redirect: 'manual', signal })
    const text = await readBounded(response)
    if (response.status >= 300 && response.status < 400) {
      throw new ConnectorFailure('invalid_response', { detail: { status: response.status } })
    }
    return { status: response.status, text }
  } catch (error) {
    if (error instanceof ConnectorFailure) throw error
    // Some providers want secrets in the query, and an error may quote the address.
    const reason = String(error).replaceAll(url, new URL(url).origin)
    throw new ConnectorFailure('general', { detail: signal.aborted ? 'timed out' : reason })
  }
}

async function readBounded(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const part = await reader?.read()
    if (!part || part.done) return text + decoder.decode()
    size += part.value.byteLength
    if (size > ANSWER_MAX_BYTES) {
      await reader?.cancel()
      throw new ConnectorFailure('invalid_response', { detail: 'too long' })
    }
    text += decoder.decode(part.value, { stream: true })
  }
}

type Shape<T> = Pick<z.ZodType<T>, 'safeParse'>

/** A JSON answer of the shape that is expected. */
export function readJson<T>({ text }: ProviderAnswer, shape: Shape<T>): T {
  return readShape(parseJson(text), shape)
}

/** A form-encoded answer of the shape that is expected, as some token endpoints give it. */
export function readForm<T>({ text }: ProviderAnswer, shape: Shape<T>): T {
  return readShape(parseForm(text), shape)
}

/** What is wrong is told, never what it holds: this is where tokens and people's data come from. */
function readShape<T>(value: unknown, shape: Shape<T>): T {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  const detail = parsed.error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`)
  throw new ConnectorFailure('invalid_response', { detail })
}

export const parseForm = (text: string): unknown => Object.fromEntries(new URLSearchParams(text))

/** Undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
