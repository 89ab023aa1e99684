import { DEV_INBOX } from '../../contract/connectors/connectors.ts'
import { ConnectorFailure } from '../../outbound/failure.ts'
import { findMessageFactory } from '../../outbound/index.ts'
import type { Message, MessageContext } from '../../outbound/messages/message.ts'
import { renderMessage } from '../../outbound/messages/templates.ts'
import type { ConnectorConfig } from '../../storage/connectors/connectors.ts'
import { storeDevMessage } from '../../storage/connectors/dev-messages.ts'
import type { Dependencies } from '../dependencies.ts'
import { tenantNetwork } from '../network-limit.ts'

/** A message before its phrases are rendered. */
export type OutgoingMessage = Omit<Message, 'subject' | 'html' | 'text'> & {
  channel: 'email' | 'sms'
  requestId: string
}

/** The connector that sends a message: either an installed one or a configuration under test. */
export type MessageSender = {
  id: string
  factoryId: string
  config: ConnectorConfig
  /** True if the configuration is tested before it is saved. */
  isUnsaved?: boolean
}

export type SendingDependencies = Pick<Dependencies, 'db' | 'seals' | 'settings' | 'network' | 'now'>

const PROVIDER_TIMEOUT = 5_000 // ms, spec/limits#connectors

/**
 * Sends a message and returns the failure, or null on success. A failed message is not sent again, because a provider
 * that does not respond may have sent it (ADR-0013). Errors other than a `ConnectorFailure` are bugs in the connector
 * and are rethrown.
 */
export async function deliverMessage(
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
      await factory.send(config, rendered, createMessageContext(dependencies, tenantId))
    } else if (factoryId === DEV_INBOX && isDevelopment) {
      await storeDevMessage(dependencies.db, tenantId, inboxEntry(channel, rendered, now()))
    } else throw new ConnectorFailure('unexpected_type', { detail: `No factory ${factoryId}` })
    return null
  } catch (error) {
    if (error instanceof ConnectorFailure) return error
    throw error
  }
}

export function createMessageContext(dependencies: SendingDependencies, tenantId: string): MessageContext {
  const { now, settings } = dependencies
  const isDevelopment = settings.environment === 'development'
  return {
    ...tenantNetwork(dependencies, tenantId),
    now,
    timeout: PROVIDER_TIMEOUT,
    requiresTls: !isDevelopment,
    allowPrivateTargets: isDevelopment,
  }
}

const inboxEntry = (
  channel: OutgoingMessage['channel'],
  { to, type, code, language, subject, text, html }: Message,
  createdAt: number,
) => ({
  to,
  channel,
  type,
  code,
  language,
  subject: subject ?? null,
  body: text ?? html ?? '',
  html: html ?? null,
  createdAt,
})
