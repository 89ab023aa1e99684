import type { CredentialCheck } from '../contract/connectors/connectors.ts'
import type { MessageCall } from './messages/message-call.ts'
import { type CallContext, callProvider } from './provider-call.ts'

/** Checks credentials with a provider without sending anything (spec/connectors#credential-check, ADR-0123). */

export const accepted: CredentialCheck = { outcome: 'accepted', reason: null }
export const refused = (reason: string): CredentialCheck => ({ outcome: 'refused', reason })
export const unclear = (reason: string): CredentialCheck => ({ outcome: 'unclear', reason })

/**
 * Checks credentials with a message without a recipient, sent to the endpoint for messages. A provider that accepts the
 * credentials refuses it for what is missing, so it cannot be delivered. This also checks the permission to send.
 */
export async function checkByEmptyMessage(call: MessageCall, context: CallContext): Promise<CredentialCheck> {
  const { url, headers, body } = call
  const { status } = await callProvider(url, { method: 'POST', headers, body }, context)
  return isRefusal(status)
    ? refused(statusReason(status))
    : isContentRefusal(status)
      ? accepted
      : unclear(statusReason(status))
}

export const statusReason = (status: number) => `status ${status}`

/** The status 404 means that there is no such domain or account. */
const isRefusal = (status: number) => status === 401 || status === 403 || status === 404
const isContentRefusal = (status: number) => status === 400 || status === 422
