import { ConnectorFailure } from '../connectors/failure.ts'
import { findMessageFactory } from '../connectors/index.ts'
import type { Message } from '../connectors/message.ts'
import { render } from '../connectors/templates.ts'
import { DEV_INBOX, type MessageType } from '../contract/connectors.ts'
import { Refused, refuseWith } from '../contract/refused.ts'
import { maskIdentifier, maskQuoted } from '../domain/masking.ts'
import { type ConnectorConfig, findMessageConnector } from '../storage/connectors.ts'
import { keepDevMessage } from '../storage/dev-messages.ts'
import { logEvent, logFailure } from '../storage/event-log.ts'
import { insertServiceLog } from '../storage/service-logs.ts'
import { connectorRefusal } from './connector-refusal.ts'
import type { Dependencies } from './dependencies.ts'
import { networkOf } from './tenant-network.ts'

export type Sending = {
  channel: 'email' | 'sms'
  to: string
  type: MessageType
  code: string
  language: string
  /** Where the code is to be typed: the host of the request, with its port. */
  host: string
  requestId: string
}

/** What is to send: a row, or a configuration that is only being tried. */
export type Sender = { id: string; factoryId: string; config: ConnectorConfig }

export type SendingDependencies = Pick<Dependencies, 'db' | 'seals' | 'settings' | 'network' | 'now'>

const PROVIDER_TIMEOUT = 5_000 // ms, contract 9

/** Sends a code through the tenant's connector. Refused with `connector.*` when it could not be handed over. */
export async function sendMessage(
  dependencies: SendingDependencies,
  tenantId: string,
  sending: Sending,
): Promise<{ connectorId: string }> {
  const type = sending.channel === 'email' ? 'Email' : 'Sms'
  const sender = await findMessageConnector(dependencies, tenantId, type)
  if (!sender) refuseWith('connector.not_found', { type })
  await sendThrough(dependencies, tenantId, sender, sending)
  return { connectorId: sender.id }
}

/** The same through a given connector (contract 8.2, test). */
export async function sendThrough(
  dependencies: SendingDependencies,
  tenantId: string,
  sender: Sender,
  sending: Sending,
): Promise<void> {
  const failure = await handOver(dependencies, tenantId, sender, sending)
  await record(dependencies, tenantId, { sender, sending, failure })
  if (!failure) return
  logEvent('message_not_sent', {
    requestId: sending.requestId,
    connectorId: sender.id,
    factoryId: sender.factoryId,
    reason: failure.code,
    // Templates are no secret, and of their words a provider's complaint is made.
    detail: withoutCode(
      maskQuoted(failure.detail, [{ ...sender.config, templates: undefined }, sending.to]),
      sending.code,
    ),
  })
  throw new Refused(connectorRefusal(failure))
}

/** The provider's own words, which may quote what it was sent: a code is in no log (design 4). */
const withoutCode = (detail: unknown, code: string) =>
  detail === undefined ? undefined : JSON.stringify(detail).replaceAll(code, '******')

/** What went wrong, or null. Whatever a connector did not foresee is a mistake of ours and goes on as such. */
async function handOver(
  dependencies: SendingDependencies,
  tenantId: string,
  { factoryId, config }: Sender,
  { requestId: _requestId, channel, ...message }: Sending,
): Promise<ConnectorFailure | null> {
  const { now, settings } = dependencies
  const isDevelopment = settings.environment === 'development'
  const factory = findMessageFactory(factoryId)
  const type = channel === 'email' ? 'Email' : 'Sms'
  try {
    const rendered = await render(type, config, message)
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
  channel: Sending['channel'],
  { to, type, code, language, subject, text, html }: Message,
  createdAt: number,
) => ({ to, channel, type, code, language, subject: subject ?? null, body: text ?? html ?? '', createdAt })

/**
 * Before the answer and not after it: an isolate may end in between, and what was handed to a provider must be found.
 * That it was sent cannot be taken back, so a row that cannot be written goes to the log instead and fails nothing.
 */
async function record(
  { db, now }: SendingDependencies,
  tenantId: string,
  { sender, sending, failure }: { sender: Sender; sending: Sending; failure: ConnectorFailure | null },
): Promise<void> {
  const { channel, to, type, requestId } = sending
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
