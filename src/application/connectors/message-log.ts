import { maskIdentifier, maskQuoted } from '../../domain/masking.ts'
import type { ConnectorFailure } from '../../outbound/failure.ts'
import { logEvent, logFailure } from '../../storage/event-log.ts'
import { insertServiceLog } from '../../storage/service-logs.ts'
import type { Dependencies } from '../dependencies.ts'
import type { MessageSender, OutgoingMessage } from './deliver-message.ts'

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

/** For the operator: the provider's own words. */
export function logFailedMessage({ sender, message, failure }: Sent & { failure: ConnectorFailure }): void {
  logEvent('message_not_sent', {
    requestId: message.requestId,
    connectorId: sender.id,
    factoryId: sender.factoryId,
    reason: failure.code,
    // Templates are left out of the masking: they are not secret, and a provider's error consists of their words.
    detail: withoutCode(
      maskQuoted(failure.detail, [{ ...sender.config, templates: undefined }, message.to]),
      message.code,
    ),
  })
}

/** In no text: a notice has no code. */
const NO_CODE = '\u0000'

/** A provider's error may quote what it was sent, and codes are in no log (spec/accounts#secrets). */
const withoutCode = (detail: unknown, code: string) =>
  detail === undefined ? undefined : JSON.stringify(detail).replaceAll(code || NO_CODE, '******')
