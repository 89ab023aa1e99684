import type { CredentialCheck } from '../contract/connectors/connectors.ts'
import type { MessageCall } from './messages/message-call.ts'
import { type CallContext, callProvider } from './provider-call.ts'

/** What a provider says of the credentials alone (spec/connectors#credential-check, ADR-0123). */

export const accepted: CredentialCheck = { outcome: 'accepted', reason: null }
export const refused = (reason: string): CredentialCheck => ({ outcome: 'refused', reason })
export const unclear = (reason: string): CredentialCheck => ({ outcome: 'unclear', reason })

/**
 * A message without a recipient, to the address that takes messages: who knows the credentials refuses it for what is
 * missing, and nobody can send it. So it also asks for the permission that sending needs.
 */
export async function checkByEmptyMessage(call: MessageCall, context: CallContext): Promise<CredentialCheck> {
  const { url, headers, body } = call
  const { status } = await callProvider(url, { method: 'POST', headers, body }, context)
  return isRefusal(status)
    ? refused(statusReason(status))
    : isOfContent(status)
      ? accepted
      : unclear(statusReason(status))
}

export const statusReason = (status: number) => `status ${status}`

/** 404: no such domain or account. */
const isRefusal = (status: number) => status === 401 || status === 403 || status === 404
const isOfContent = (status: number) => status === 400 || status === 422
