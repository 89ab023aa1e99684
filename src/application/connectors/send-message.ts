import type { MessageType } from '../../contract/connectors/connectors.ts'
import { RefusalError, refuseWith } from '../../contract/refused.ts'
import type { VerifiedAddress } from '../../domain/codes/passcodes.ts'
import { findMessageConnector } from '../../storage/connectors/connectors.ts'
import type { Dependencies } from '../dependencies.ts'
import { connectorRefusal } from './connector-refusal.ts'
import {
  deliverMessage,
  type MessageSender,
  type OutgoingMessage,
  type SendingDependencies,
} from './deliver-message.ts'
import { logFailedMessage, recordMessage } from './message-log.ts'
import { messageWording } from './message-wording.ts'

export type { SendingDependencies }

/** The request that a message follows from. */
export type MessageRequest = {
  tenantId: string
  requestId: string
  /** The host at which the code is entered, with its port. */
  host: string
  acceptLanguage: string | undefined
}

export type CodeMessage = { address: VerifiedAddress; type: MessageType; code: string }

/** Sends a code to an address, in the language of the request (spec/accounts#code-message). */
export async function sendCode(
  dependencies: SendingDependencies & Pick<Dependencies, 'experience' | 'phrases'>,
  { tenantId, requestId, host, acceptLanguage }: MessageRequest,
  { address, type, code }: CodeMessage,
): Promise<{ connectorId: string }> {
  return sendMessage(dependencies, tenantId, {
    channel: address.type === 'email' ? 'email' : 'sms',
    to: address.value,
    type,
    code,
    ...(await messageWording(dependencies, tenantId, acceptLanguage)),
    host,
    requestId,
  })
}

/** Sends through the tenant's connector. Refused with `connector.*` when the provider did not accept the message. */
export async function sendMessage(
  dependencies: SendingDependencies,
  tenantId: string,
  message: OutgoingMessage,
): Promise<{ connectorId: string }> {
  const type = message.channel === 'email' ? 'Email' : 'Sms'
  const sender = await findMessageConnector(dependencies, tenantId, type)
  if (!sender) refuseWith('connector.not_found', { type })
  await sendThrough(dependencies, tenantId, sender, message)
  return { connectorId: sender.id }
}

/** The same through a given connector (spec/connectors#connector-test). */
export async function sendThrough(
  dependencies: SendingDependencies,
  tenantId: string,
  sender: MessageSender,
  message: OutgoingMessage,
): Promise<void> {
  const failure = await deliverMessage(dependencies, tenantId, sender, message)
  await recordMessage(dependencies, tenantId, { sender, message, failure })
  if (!failure) return
  logFailedMessage({ sender, message, failure })
  throw new RefusalError(connectorRefusal(failure))
}
