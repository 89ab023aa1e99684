import type { ConnectorFailure } from '../connectors/failure.ts'
import { maskIdentifier } from '../domain/masking.ts'
import { logFailure } from '../storage/event-log.ts'
import { insertServiceLog } from '../storage/service-logs.ts'
import type { MessageSender, OutgoingMessage } from './deliver-message.ts'
import type { Dependencies } from './dependencies.ts'

type Sent = { sender: MessageSender; message: OutgoingMessage; failure: ConnectorFailure | null }

/**
 * Before the answer, because an isolate may end in between, and a message that a provider received must be found in the
 * log. The message cannot be taken back: a row that cannot be written goes to the event log and fails nothing.
 */
export async function recordMessage(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  tenantId: string,
  { sender, message, failure }: Sent,
): Promise<void> {
  const { channel, to, type, requestId } = message
  const entry = {
    type: channel === 'email' ? ('sendEmail' as const) : ('sendSms' as const),
    payload: {
      to: maskIdentifier({ type: channel === 'email' ? 'email' : 'phone', value: to }),
      messageType: type,
      connectorId: sender.id,
      factoryId: sender.factoryId,
      result: failure ? 'Error' : 'Success',
      ...(failure && { error: `connector.${failure.code}` }),
      requestId,
    },
    createdAt: now(),
  }
  try {
    await insertServiceLog(db, tenantId, entry)
  } catch (error) {
    logFailure(error, { serviceLog: entry.payload, tenantId })
  }
}
