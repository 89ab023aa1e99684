import { findOutboundUrlProblem } from '../domain/connectors/outbound-address.ts'
import { readBoundedBody } from './bounded-body.ts'
import type { ConnectorContext } from './connector-context.ts'
import { ConnectorFailure, invalidConfigFailure } from './failure.ts'

export type CallContext = Pick<ConnectorContext, 'fetch' | 'timeout' | 'deadline' | 'allowPrivateTargets'>

export type ProviderResponse = { status: number; text: string }

/**
 * A provider's response. Only a limited part is read; `isWhole` is false if the response was longer
 * (spec/connectors#provider-calls).
 */
type BoundedResponse = ProviderResponse & { isWhole: boolean }

/** The maximum size of a response, in bytes. No token, profile or receipt is larger. */
const RESPONSE_MAX_BYTES = 256 * 1024

/**
 * Calls a provider and returns its response, whatever its status. Throws if the provider cannot be reached in time.
 * Also throws if the provider redirects, because following the redirect would send a code or credentials to a URL that
 * was not configured.
 */
export async function callProvider(
  url: string,
  init: Pick<RequestInit, 'method' | 'headers' | 'body'>,
  { fetch, timeout, deadline, allowPrivateTargets }: CallContext,
): Promise<BoundedResponse> {
  const problem = findOutboundUrlProblem(url, { allowPrivateTargets })
  if (problem) throw invalidConfigFailure({ path: 'endpoint', message: problem })

  const ownDeadline = AbortSignal.timeout(timeout)
  const signal = deadline ? AbortSignal.any([ownDeadline, deadline]) : ownDeadline
  try {
    const response = await fetch(url, { method: 'GET', ...init, redirect: 'manual', signal })
    const { content, isWhole } = await readBoundedBody(response.body, RESPONSE_MAX_BYTES)
    const { status } = response
    if (isRedirect(status)) throw new ConnectorFailure('invalid_response', { detail: { status } })
    return { status, text: await content.text(), isWhole }
  } catch (error) {
    if (error instanceof ConnectorFailure) throw error
    // The error itself is not logged. It may quote the URL, in which some providers require secrets.
    const reason = String(error).replaceAll(url, new URL(url).origin)
    throw signal.aborted
      ? new ConnectorFailure('general', { detail: 'timed out', reason: 'timeout' })
      : new ConnectorFailure('general', { detail: reason, reason: 'unreachable' })
  }
}

const isRedirect = (status: number) => status >= 300 && status < 400
