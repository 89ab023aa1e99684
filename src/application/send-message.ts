import { ConnectorFailure } from '../connectors/failure.ts'
import { findMessageFactory } from '../connectors/index.ts'
import type { Message } from '../connectors/message.ts'
import { renderMessage } from '../connectors/templates.ts'
import { DEV_INBOX, type MessageType } from '../contract/connectors.ts'
import { Refused, refuseWith } from '../contract/refused.ts'
import { maskIdentifier, maskQuoted } from '../domain/masking.ts'
import type { Address } from '../domain/passcodes.ts'
import { type ConnectorConfig, findMessageConnector } from '../storage/connectors.ts'
import { keepDevMessage } from '../storage/dev-messages.ts'
import { logEvent, logFailure } from '../storage/event-log.ts'
import { insertServiceLog } from '../storage/service-logs.ts'
import { connectorRefusal } from './connector-refusal.ts'
import type { Dependencies } from './dependencies.ts'
import { messageLanguage } from './message-language.ts'
import { networkOf } from './tenant-network.ts'

/** The request that a message follows from. */
export type MessageRequest = {
  tenantId: string
  requestId: string
  /** The host at which the code is entered, with its port. */
  host: string
  acceptLanguage: string | undefined
}

export type CodeMessage = { address: Address; type: MessageType; code: string }

/** A message whose language is known. */
export type OutgoingMessage = {
  channel: 'email' | 'sms'
  to: string
  type: MessageType
  code: string
  language: string
  host: string
  requestId: string
}

/** The connector to send through: an installed one, or a configuration that is being tested. */
export type MessageSender = { id: string; factoryId: string; config: ConnectorConfig }

export type SendingDependencies = Pick<Dependencies, 'db' | 'seals' | 'settings' | 'network' | 'now'>

const PROVIDER_TIMEOUT = 5_000 // ms, spec/limits#connectors

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
    language: await messageLanguage(dependencies, tenantId, acceptLanguage),
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
  throw new Refused(connectorRefusal(failure))
}

/** A provider's error may quote what it was sent, and codes are in no log (spec/accounts#secrets). */
const withoutCode = (detail: unknown, code: string) =>
  detail === undefined ? undefined : JSON.stringify(detail).replaceAll(code, '******')

/**
 * The failure, or null. Sent once and not repeated: a provider that does not answer may have sent the message (ADR-0013).
 * An error that is no `ConnectorFailure` is a defect of the connector and is thrown on.
 */
async function deliverMessage(
  dependencies: SendingDependencies,
  tenantId: string,
  { factoryId, config }: MessageSender,
  { requestId: _requestId, channel, ...message }: OutgoingMessage,
): Promise<ConnectorFailure | null> {
  const { now, settings } = dependencies
  const isDevelopment = settings.environment === 'development'
  const factory = findMessageFactory(factoryId)
  const type = channel === 'email' ? 'Email' : 'Sms'
  try {
    const rendered = await renderMessage(type, config, message)
    if (factory) {
      if (factory.type !== type) throw new ConnectorFailure('unexpected_type')
      const context = {
        ...networkOf(dependencies, tenantId),
        now,
        timeout: PROVIDER_TIMEOUT,
        requiresTls: !isDevelopment,
        allowPrivateTargets: isDevelopment,
      }
      await factory.send(config, rendered, context)
    } else if (factoryId === DEV_INBOX && isDevelopment) {
      await keepDevMessage(dependencies.db, tenantId, inboxEntry(channel, rendered, now()))
    } else throw new ConnectorFailure('unexpected_type', { detail: `No factory ${factoryId}` })
    return null
  } catch (error) {
    if (error instanceof ConnectorFailure) return error
    throw error
  }
}

const inboxEntry = (
  channel: OutgoingMessage['channel'],
  { to, type, code, language, subject, text, html }: Message,
  createdAt: number,
) => ({ to, channel, type, code, language, subject: subject ?? null, body: text ?? html ?? '', createdAt })

type Sent = { sender: MessageSender; message: OutgoingMessage; failure: ConnectorFailure | null }

/**
 * Before the answer, because an isolate may end in between, and a message that a provider received must be found in the
 * log. The message cannot be taken back: a row that cannot be written goes to the event log and fails nothing.
 */
async function recordMessage(
  { db, now }: SendingDependencies,
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
