import { outboundProblem } from '../domain/connectors/outbound-address.ts'
import { readBoundedBody } from './bounded-body.ts'
import type { ConnectorContext } from './connector-context.ts'
import { ConnectorFailure, invalidConfig } from './failure.ts'

export type CallContext = Pick<ConnectorContext, 'fetch' | 'timeout' | 'deadline' | 'allowPrivateTargets'>

export type ProviderAnswer = { status: number; text: string }

/** `isWhole` is false when the answer was longer than what is read of it (spec/connectors#provider-calls). */
type BoundedAnswer = ProviderAnswer & { isWhole: boolean }

/** More than any token, profile or receipt. */
const ANSWER_MAX_BYTES = 256 * 1024

/**
 * Calls a provider. Every status is an answer, but a redirect is a failure: it would carry a code or credentials to an
 * address that was not configured. So are a timeout and a server that cannot be reached.
 */
export async function callProvider(
  url: string,
  init: Pick<RequestInit, 'method' | 'headers' | 'body'>,
  { fetch, timeout, deadline, allowPrivateTargets }: CallContext,
): Promise<BoundedAnswer> {
  const problem = outboundProblem(url, { allowPrivateTargets })
  if (problem) throw invalidConfig({ path: 'endpoint', message: problem })

  const ownDeadline = AbortSignal.timeout(timeout)
  const signal = deadline ? AbortSignal.any([ownDeadline, deadline]) : ownDeadline
  try {
    const response = await fetch(url, { method: 'GET', ...init, redirect: 'manual', signal })
    const { content, isWhole } = await readBoundedBody(response.body, ANSWER_MAX_BYTES)
    const { status } = response
    if (isRedirect(status)) throw new ConnectorFailure('invalid_response', { detail: { status } })
    return { status, text: await content.text(), isWhole }
  } catch (error) {
    if (error instanceof ConnectorFailure) throw error
    // Some providers want secrets in the query, and an error may quote the address.
    const reason = String(error).replaceAll(url, new URL(url).origin)
    throw new ConnectorFailure('general', { detail: signal.aborted ? 'timed out' : reason })
  }
}

const isRedirect = (status: number) => status >= 300 && status < 400
