import type { CredentialCheck } from '../contract/connectors/connectors.ts'
import type { MessageCall } from './messages/message-call.ts'
import { type CallContext, callProvider } from './provider-call.ts'

/**
 * Checks a connector's credentials with its provider without sending anything (spec/connectors#credential-check,
 * ADR-0123).
 */

export const credentialsAccepted: CredentialCheck = { outcome: 'accepted', reason: null }
export const credentialsRejected = (reason: string): CredentialCheck => ({ outcome: 'refused', reason })
export const checkInconclusive = (reason: string): CredentialCheck => ({ outcome: 'unclear', reason })

/**
 * Checks credentials by sending a message without a recipient. A provider that accepts the credentials rejects the
 * incomplete message, so nothing is delivered. Unlike other calls, this also shows whether the credentials permit
 * sending.
 */
export async function checkWithEmptyMessage(
  call: MessageCall,
  context: CallContext,
): Promise<CredentialCheck> {
  const { url, headers, body } = call
  const { status } = await callProvider(url, { method: 'POST', headers, body }, context)
  return isRefusal(status)
    ? credentialsRejected(statusReason(status))
    : isContentRefusal(status)
      ? credentialsAccepted
      : checkInconclusive(statusReason(status))
}

export const statusReason = (status: number) => `status ${status}`

/** 404 means that the configured domain or account does not exist. */
const isRefusal = (status: number) => status === 401 || status === 403 || status === 404
const isContentRefusal = (status: number) => status === 400 || status === 422
